import sql from 'sql-template-tag'
import type { Queryable, Transaction } from '../postgres/index.ts'

/** What is known about an Idempotency-Key once it is ours for the rest of the transaction. */
export interface KnownAnswer {
  requestHash: Buffer
  response: Buffer
  encrypted: boolean
}

/**
 * Claims the key until the transaction ends.
 * @returns `running` when another transaction holds it, the kept answer when there is one that has not expired,
 * otherwise `new`
 */
export async function claimKey(tx: Transaction, scope: string, key: string): Promise<'running' | 'new' | KnownAnswer> {
  const [row] = await tx.query<ClaimRow>(sql`
    select claimed, request_hash, response, encrypted from claim_idempotency_key(${scope}, ${key})`)
  if (!row?.claimed) return 'running'
  if (row.request_hash === null || row.response === null) return 'new'
  return { requestHash: row.request_hash, response: row.response, encrypted: row.encrypted === true }
}

/** The kept answer, when there is one that has not expired; looks without claiming the key. */
export async function findAnswer(db: Queryable, scope: string, key: string): Promise<KnownAnswer | undefined> {
  const [row] = await db.query<KnownAnswer>(sql`
    select request_hash as "requestHash", response, encrypted from idempotency_record
    where scope = ${scope} and key = ${key} and expires_at > now()`)
  return row
}

/** Keeps the answer for 24 h, from the commit on. A record that has expired and was not swept yet is written over. */
export function storeResponse(tx: Transaction, scope: string, key: string, answer: KnownAnswer): void {
  tx.enqueueBeforeCommit(sql`
    insert into idempotency_record (scope, key, request_hash, response, encrypted, expires_at)
    values (${scope}, ${key}, ${answer.requestHash}, ${answer.response}, ${answer.encrypted}, now() + interval '24 hours')
    on conflict (scope, key) do update set
      request_hash = excluded.request_hash,
      response = excluded.response,
      encrypted = excluded.encrypted,
      expires_at = excluded.expires_at`)
}

/**
 * Deletes expired records, at most `limit` at a time so that it never holds up a write.
 * @returns how many it deleted; fewer than `limit` means that it is done
 */
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
