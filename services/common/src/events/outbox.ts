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
 * Claims unpublished rows until the transaction ends, oldest first, those of one aggregate in order.
 *
 * Several relays may claim at once. A relay gets either all earlier unpublished rows of an aggregate or none of its
 * rows: it claims the first of each aggregate, skipping those that another relay holds, and then the rows behind it.
 */
export async function claimUnpublished(tx: Transaction, limit: number): Promise<OutboxRow[]> {
  return tx.query<OutboxRow>(sql`
    with head as materialized (
      select event_id, position, aggregate, aggregate_id from outbox as candidate
      where published_at is null and not exists (
        select from outbox as earlier
        where earlier.published_at is null
          and earlier.aggregate = candidate.aggregate
          and earlier.aggregate_id = candidate.aggregate_id
          and earlier.position < candidate.position
      )
      order by position limit ${limit} for update skip locked
    ), follower as materialized (
      select outbox.event_id from head join outbox
        on outbox.aggregate = head.aggregate and outbox.aggregate_id = head.aggregate_id
          and outbox.position > head.position
      where outbox.published_at is null
      order by outbox.position limit ${limit} for update of outbox
    )
    select event_id, store_id, service, aggregate, aggregate_id, aggregate_version, verb, type, payload, traceparent,
      created_at
    from outbox where event_id in (select event_id from head union all select event_id from follower)
    order by position`)
}

export async function markPublished(tx: Transaction, published: readonly Published[]): Promise<void> {
  if (published.length === 0) return
  await tx.query(sql`
    update outbox set published_at = now(), stream_sequence = taken.sequence
    from unnest(
      ${published.map(({ eventId }) => eventId)}::uuid[],
      ${published.map(({ sequence }) => sequence)}::bigint[]
    ) as taken (event_id, sequence)
    where outbox.event_id = taken.event_id`)
}

export async function hasUnpublished(database: Queryable): Promise<boolean> {
  const rows = await database.query(sql`select from outbox where published_at is null limit 1`)
  return rows.length > 0
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
      order by stream_sequence limit ${limit} for update skip locked
    ), pruned as (
      delete from outbox using oldest
      where outbox.event_id = oldest.event_id and oldest.published_at < now() - interval '14 days'
      returning 1
    )
    select count(*)::int as count from pruned`)
  return row?.count ?? 0
}
