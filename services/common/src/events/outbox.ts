import sql from 'sql-template-tag'
import type { Queryable, Transaction } from '../postgres/index.ts'

/** A row of the outbox. */
export interface OutboxRow {
  event_id: string
  store_id: string | null
  service: string
  aggregate: string
  aggregate_id: string
  aggregate_version: string
  verb: string
  type: string
  payload: Buffer
  traceparent: string | null
  created_at: Date
}

/** An event acknowledged by the stream, with its sequence there. */
export interface Published {
  eventId: string
  sequence: number
}

/**
 * Reads the oldest unpublished rows and claims their aggregates until the transaction ends. Returns the claimed rows in order,
 * grouped by aggregate.
 *
 * Relays may claim concurrently. A relay claims an aggregate by locking its first unpublished row; others skip the row
 * while it is locked and see it as published afterwards.
 *
 * @param maxBytes skips rows with larger payloads, which the server would reject, so that they do not block others
 */
export async function claimUnpublished(tx: Transaction, limit: number, maxBytes: number): Promise<OutboxRow[][]> {
  // NOTE The batch must contain all unpublished rows up to some position, so that it contains the first of each aggregate.
  const rows = await tx.query<OutboxRow>(sql`
    with batch as materialized (
      select *, first_value(event_id) over (partition by aggregate, aggregate_id order by position) as head from (
        select * from outbox where published_at is null and octet_length(payload) <= ${maxBytes}
        order by position limit ${limit}
      ) as oldest
    ), claimed as materialized (
      select event_id from outbox where event_id = any(array(select distinct head from batch)) and published_at is null
      for update skip locked
    )
    select event_id, store_id, service, aggregate, aggregate_id, aggregate_version, verb, type, payload, traceparent, created_at
    from batch where head = any(array(select event_id from claimed)) order by position`)
  return [...Map.groupBy(rows, (row) => `${row.aggregate} ${row.aggregate_id}`).values()]
}

/** Whether there are unpublished events: one statement instead of a transaction. */
export async function hasUnpublished(database: Queryable): Promise<boolean> {
  const rows = await database.query(sql`select from outbox where published_at is null limit 1`)
  return rows.length > 0
}

/** Marks events as published when the transaction commits. */
export function markPublished(tx: Transaction, published: readonly Published[]): void {
  if (published.length === 0) return
  const ids = published.map(({ eventId }) => eventId)
  // NOTE A join would be planned once, for a table that is still empty, and then read all of it for each batch.
  tx.enqueueBeforeCommit(sql`
    update outbox set published_at = now(),
      stream_sequence = (${published.map(({ sequence }) => sequence)}::bigint[])[array_position(${ids}::uuid[], event_id)]
    where event_id = any(${ids}::uuid[])`)
}

/** Counts unpublished rows with payloads larger than `maxBytes`. */
export async function countOversized(database: Queryable, maxBytes: number): Promise<number> {
  const [row] = await database.query<{ count: number }>(sql`
    select count(*)::int as count from outbox where published_at is null and octet_length(payload) > ${maxBytes}`)
  return row?.count ?? 0
}

/** Seconds since the oldest unpublished event was written; 0 if there is none. */
export async function outboxAgeSeconds(database: Queryable): Promise<number> {
  const [row] = await database.query<{ age: number }>(sql`
    select coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as age
    from outbox where published_at is null`)
  return row?.age ?? 0
}

/** Deletes up to `limit` events published more than 14 days ago. @returns the number of deleted rows */
export async function pruneOutbox(database: Queryable, limit = 1000): Promise<number> {
  const [row] = await database.query<{ count: number }>(sql`
    with oldest as (
      select event_id, published_at from outbox where stream_sequence is not null
      order by stream_sequence limit ${limit}
    ), pruned as (
      delete from outbox where published_at is not null and event_id in (
        select event_id from oldest where published_at < now() - interval '14 days'
      ) returning 1
    )
    select count(*)::int as count from pruned`)
  return row?.count ?? 0
}
