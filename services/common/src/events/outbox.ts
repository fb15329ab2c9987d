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

/** Rows that a relay may publish until its transaction ends. */
export interface Claim {
  /** In order, by aggregate. */
  chains: OutboxRow[][]
  /** Of the stream when the rows were claimed; see `markPublished`. */
  epoch: string
  /** Whether these are all unpublished rows. */
  isAll: boolean
  /** Whether there can be unpublished rows that it did not look at. */
  isCut: boolean
}

/**
 * Claims the oldest unpublished rows that no other relay has claimed, until the transaction ends.
 *
 * A relay claims an aggregate by locking its first unpublished row. Others skip the aggregate while the row is locked, and see
 * the row as published afterwards. So relays that claim at the same time get different aggregates, and events of an aggregate
 * keep their order. If the relay ends, Postgres releases the locks immediately; if it hangs, after `claimMs`.
 *
 * @param batchSize approximate maximum number of rows
 * @param reach how many batches to look through, of which other relays may have claimed some
 * @param maxBytes skips rows with larger payloads, which the server would reject, so that they do not block others
 */
export async function claimUnpublished(
  tx: Transaction,
  { stream, batchSize, reach, maxBytes }: ClaimOptions,
): Promise<Claim> {
  // The commit need not wait for the disk or a standby: a lost mark only repeats the publish. Statistics cannot keep up with
  // the number of unpublished rows, and plans for few rows would sort all of a backlog for every batch.
  const prepared = tx.query(sql`
    select set_config('idle_in_transaction_session_timeout', ${String(claimMs)}, true),
      set_config('synchronous_commit', 'off', true),
      set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true)`)
  // NOTE `oldest` must contain all unpublished rows up to some position, so that it contains the first of each aggregate.
  const claimed = tx.query<(OutboxRow | { event_id: null }) & { epoch: string; seen: number }>(sql`
    with oldest as materialized (
      select ctid as place, position, aggregate, aggregate_id from outbox
      where published_at is null and octet_length(payload) <= ${maxBytes} order by position limit ${batchSize * reach}
    ), heads as materialized (
      select min(position) as position, count(*) as length from oldest group by aggregate, aggregate_id
    ), claimed as materialized (
      select aggregate, aggregate_id from outbox
      where position = any(array(select position from heads)) and published_at is null
      order by position limit (select ceil(${batchSize} / avg(length))::bigint from heads)
      for update skip locked
    )
    select event_id, store_id, service, aggregate, aggregate_id, aggregate_version, verb, type, payload, traceparent, created_at,
      (select epoch from outbox_stream where stream = ${stream}) as epoch, seen
    from (select count(*)::int as seen from oldest) as looked
    left join outbox on ctid = any(array(
      select place from oldest join claimed using (aggregate, aggregate_id) order by position limit ${batchSize}
    )) order by position`)
  const [rows] = await Promise.all([claimed, prepared])
  const events = rows.filter((row) => row.event_id !== null)
  const chains = [...Map.groupBy(events, (row) => `${row.aggregate} ${row.aggregate_id}`).values()]
  const { epoch = '', seen = 0 } = rows[0] ?? {}
  const isCut = seen === batchSize * reach
  return { chains, epoch, isAll: !isCut && seen === events.length, isCut }
}

export interface ClaimOptions {
  stream: string
  batchSize: number
  reach: number
  maxBytes: number
}

/**
 * Time after which Postgres ends the transaction of a relay that has claimed rows and hangs, which releases them. A relay must
 * not start a publish that could end later.
 */
export const claimMs = 5000

/**
 * Whether there are unpublished events that the process that wrote them does not publish: it has ended, or they are too many.
 * One statement instead of a transaction. An event that seems to be from the future counts too: the clock of the database was
 * set back.
 */
export async function hasWaiting(database: Queryable): Promise<boolean> {
  const rows = await database.query(sql`
    select from (select created_at from outbox where published_at is null order by position limit 1) as oldest
    where created_at not between now() - interval '100 milliseconds' and now()`)
  return rows.length > 0
}

/**
 * Marks events as published when the transaction commits, unless the stream was checked for lost events since they were
 * claimed (see `recoverStream`): the stream may have lost them as well, and the check cannot have seen them. They are then
 * published again.
 */
export function markPublished(
  tx: Transaction,
  { stream, epoch }: { stream: string; epoch: string },
  published: readonly Published[],
): void {
  if (published.length === 0) return
  const ids = published.map(({ eventId }) => eventId)
  // NOTE The plan of a join would be cached while the table is empty, and then scan all of it for each batch.
  tx.enqueueBeforeCommit(sql`
    with same_stream as materialized (
      select from outbox_stream where stream = ${stream} and epoch = ${epoch} for share
    )
    update outbox set published_at = now(),
      stream_sequence = (${published.map(({ sequence }) => sequence)}::bigint[])[array_position(${ids}::uuid[], event_id)]
    where event_id = any(${ids}::uuid[]) and exists (select from same_stream)`)
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
export async function pruneOutbox(database: Queryable, limit: number): Promise<number> {
  const deleted = await database.query(sql`
    with oldest as (
      select event_id, published_at from outbox where stream_sequence is not null
      order by stream_sequence limit ${limit}
    )
    delete from outbox where published_at is not null and event_id in (
      select event_id from oldest where published_at < now() - interval '14 days'
    ) returning 1`)
  return deleted.length
}
