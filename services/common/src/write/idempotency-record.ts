import pg from 'pg'
import sql from 'sql-template-tag'
import { isUniqueViolation, type Queryable, type Transaction } from '../postgres/index.ts'

/** The stored response of an Idempotency-Key. */
export interface StoredResponse {
  requestHash: Buffer
  response: Buffer
  encrypted: boolean
}

/** The primary key of a record. */
export interface RecordKey {
  /** Store, verb and concrete path of the call. */
  scope: string
  key: string
}

/**
 * Claims a key until the transaction ends.
 * @returns `running` if another transaction has claimed it, the stored response if there is an unexpired one, otherwise `new`
 */
export async function claimKey(
  tx: Transaction,
  { scope, key }: RecordKey,
): Promise<'running' | 'new' | StoredResponse> {
  const [row] = await tx.query<ClaimRow>(sql`
    select claimed, request_hash, response, encrypted from claim_idempotency_key(${scope}, ${key})`)
  if (!row?.claimed) return 'running'
  if (row.request_hash === null || row.response === null) return 'new'
  return { requestHash: row.request_hash, response: row.response, encrypted: row.encrypted === true }
}

/** Returns the stored response of a key if it has not expired. Does not claim the key. */
export async function findResponse(db: Queryable, { scope, key }: RecordKey): Promise<StoredResponse | undefined> {
  const [row] = await db.query<StoredResponse>(sql`
    select request_hash as "requestHash", response, encrypted from idempotency_record
    where scope = ${scope} and key = ${key} and expires_at > now()`)
  return row
}

/**
 * Stores a response for 24 h when the transaction commits, in place of an expired one. The transaction then fails if the key
 * has been used; see `keyOutcome`.
 */
export function storeResponse(tx: Transaction, { scope, key }: RecordKey, stored: StoredResponse): void {
  tx.insert('idempotency_record', {
    scope,
    key,
    request_hash: stored.requestHash,
    response: stored.response,
    encrypted: stored.encrypted,
  })
}

/** Why a transaction with `storeResponse` failed: a call with the key is in progress or has ended, or something else. */
export function keyOutcome(error: unknown): 'running' | 'used' | undefined {
  if (isUniqueViolation(error, 'idempotency_record_pkey')) return 'used'
  return error instanceof pg.DatabaseError && error.code === 'SK409' ? 'running' : undefined
}

/** Deletes up to `limit` expired records. @returns the number of deleted records */
export async function sweepIdempotencyRecords(database: Queryable, limit = 1000): Promise<number> {
  const deleted = await database.query(sql`
    delete from idempotency_record where (scope, key) in (
      select scope, key from idempotency_record where expires_at <= now() limit ${limit} for update skip locked
    ) returning 1`)
  return deleted.length
}

interface ClaimRow {
  claimed: boolean
  request_hash: Buffer | null
  response: Buffer | null
  encrypted: boolean | null
}
