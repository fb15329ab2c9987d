import sql from 'sql-template-tag'
import type { Queryable, Transaction } from '../postgres/index.ts'

/** A row of the outbox as the relay publishes it. */
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

/** An event that the stream has taken, and where. */
export interface Published {
  eventId: string
  sequence: number
}

/**
 * The oldest unpublished rows, in order. Looks only: another relay may be publishing them.
 * @param maxBytes passes over rows with more, which the server would refuse for ever: they stand in nobody's way
 */
export async function readUnpublished(database: Queryable, limit: number, maxBytes: number): Promise<OutboxRow[]> {
  return database.query<OutboxRow>(sql`
    select event_id, store_id, service, aggregate, aggregate_id, aggregate_version, verb, type, payload, traceparent,
      created_at
    from outbox where published_at is null and octet_length(payload) <= ${maxBytes}
    order by position limit ${limit}`)
}

/**
 * Claims, until the transaction ends, the aggregates whose first unpublished row is among `rows`, and answers their
 * rows, in order, by aggregate.
 *
 * Several relays may claim at once. Who holds the first unpublished row of an aggregate has the aggregate to itself:
 * the others skip the row while it is locked, and no longer find it unpublished afterwards.
 *
 * NOTE `rows` must be all rows to publish up to a position, so that the first of an aggregate in it is its first.
 */
export async function claimAggregates(tx: Transaction, rows: readonly OutboxRow[]): Promise<OutboxRow[][]> {
  const chains = [...Map.groupBy(rows, (row) => `${row.aggregate} ${row.aggregate_id}`).values()]
  const heads = chains.map(([head]) => head?.event_id)
  const claimed = await tx.query<{ event_id: string }>(sql`
    select event_id from outbox where event_id = any(${heads}::uuid[]) and published_at is null
    for update skip locked`)
  const held = new Set(claimed.map(({ event_id }) => event_id))
  return chains.filter(([head]) => head !== undefined && held.has(head.event_id))
}

/** Takes effect with the commit. */
export function markPublished(tx: Transaction, published: readonly Published[]): void {
  if (published.length === 0) return
  tx.enqueueBeforeCommit(sql`
    update outbox set published_at = now(), stream_sequence = taken.sequence
    from unnest(
      ${published.map(({ eventId }) => eventId)}::uuid[],
      ${published.map(({ sequence }) => sequence)}::bigint[]
    ) as taken (event_id, sequence)
    where outbox.event_id = taken.event_id`)
}

/** How many unpublished rows have more than this. */
export async function countTooLong(database: Queryable, maxBytes: number): Promise<number> {
  const [row] = await database.query<{ count: number }>(sql`
    select count(*)::int as count from outbox where published_at is null and octet_length(payload) > ${maxBytes}`)
  return row?.count ?? 0
}

/** Seconds since the oldest unpublished event was written; 0 when there is none. */
export async function outboxAgeSeconds(database: Queryable): Promise<number> {
  const [row] = await database.query<{ age: number }>(sql`
    select coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as age
    from outbox where published_at is null`)
  return row?.age ?? 0
}

/** Deletes events published more than 14 days ago. @returns how many; fewer than `limit` means that it is done */
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
