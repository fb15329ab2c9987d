import sql from 'sql-template-tag'
import type { Queryable, Transaction } from '../postgres/index.ts'

/** The stored response of an Idempotency-Key. */
export interface StoredResponse {
  requestHash: Buffer
  response: Buffer
  encrypted: boolean
}

/**
 * Claims a key until the transaction ends.
 * @returns `running` if another transaction has claimed it, the stored response if there is one that has not expired,
 * otherwise `new`
 */
export async function claimKey(
  tx: Transaction,
  scope: string,
  key: string,
): Promise<'running' | 'new' | StoredResponse> {
  const [row] = await tx.query<ClaimRow>(sql`
    select claimed, request_hash, response, encrypted from claim_idempotency_key(${scope}, ${key})`)
  if (!row?.claimed) return 'running'
  if (row.request_hash === null || row.response === null) return 'new'
  return { requestHash: row.request_hash, response: row.response, encrypted: row.encrypted === true }
}

/** Returns the stored response of a key if it has not expired. Does not claim the key. */
export async function findResponse(db: Queryable, scope: string, key: string): Promise<StoredResponse | undefined> {
  const [row] = await db.query<StoredResponse>(sql`
    select request_hash as "requestHash", response, encrypted from idempotency_record
    where scope = ${scope} and key = ${key} and expires_at > now()`)
  return row
}

/** Stores a response for 24 h when the transaction commits. Overwrites an expired record. */
export function storeResponse(tx: Transaction, scope: string, key: string, stored: StoredResponse): void {
  tx.enqueueBeforeCommit(sql`
    insert into idempotency_record (scope, key, request_hash, response, encrypted, expires_at)
    values (${scope}, ${key}, ${stored.requestHash}, ${stored.response}, ${stored.encrypted}, now() + interval '24 hours')
    on conflict (scope, key) do update set
      request_hash = excluded.request_hash,
      response = excluded.response,
      encrypted = excluded.encrypted,
      expires_at = excluded.expires_at`)
}

/** Deletes up to `limit` expired records. @returns the number of deleted records */
export async function sweepIdempotencyRecords(database: Queryable, limit = 1000): Promise<number> {
  const [row] = await database.query<{ count: number }>(sql`
    with swept as (
      delete from idempotency_record where (scope, key) in (
        select scope, key from idempotency_record where expires_at <= now() limit ${limit} for update skip locked
      ) returning 1
    )
    select count(*)::int as count from swept`)
  return row?.count ?? 0
}

interface ClaimRow {
  claimed: boolean
  request_hash: Buffer | null
  response: Buffer | null
  encrypted: boolean | null
}
