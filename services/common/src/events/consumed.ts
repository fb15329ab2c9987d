import sql from 'sql-template-tag'
import type { Queryable, Transaction } from '../postgres/index.ts'
import type { EventEnvelope } from './envelope.ts'

/**
 * Records, in the transaction of the effect, that the consumer has applied the event. Waits for concurrent transactions
 * that apply the same event, or one of the same aggregate.
 * @returns false if the event, or with `newest` a newer one of its aggregate, was applied before
 */
export async function markConsumed(
  tx: Transaction,
  consumer: string,
  event: EventEnvelope,
  deliver: 'every' | 'newest',
): Promise<boolean> {
  if (deliver === 'newest') return (await markNewest(tx, consumer, [event])).length > 0
  const rows = await tx.query(sql`
    insert into consumed_event (consumer, event_id) values (${consumer}, ${event.id})
    on conflict do nothing returning 1`)
  return rows.length > 0
}

/**
 * Like `markConsumed` with `newest`, for several events.
 * @returns the events to apply, one per aggregate
 */
export async function markNewest(
  tx: Transaction,
  consumer: string,
  events: readonly EventEnvelope[],
): Promise<EventEnvelope[]> {
  const newest = newestOfEach(events)
  const column = (name: 'aggregate' | 'aggregateId' | 'aggregateVersion') => newest.map((event) => event[name])
  // A fixed order prevents deadlocks between transactions with the same aggregates.
  const rows = await tx.query<{ aggregate: string; aggregateId: string }>(sql`
    insert into consumed_version (consumer, aggregate, aggregate_id, version)
    select ${consumer}, aggregate, aggregate_id, version
    from unnest(${column('aggregate')}::text[], ${column('aggregateId')}::text[], ${column('aggregateVersion')}::bigint[])
      as newest (aggregate, aggregate_id, version)
    order by aggregate, aggregate_id
    on conflict (consumer, aggregate, aggregate_id) do update set version = excluded.version
      where consumed_version.version < excluded.version
    returning aggregate, aggregate_id as "aggregateId"`)
  const marked = new Set(rows.map(keyOf))
  return newest.filter((event) => marked.has(keyOf(event)))
}

function newestOfEach(events: readonly EventEnvelope[]): EventEnvelope[] {
  const newest = new Map<string, EventEnvelope>()
  for (const event of events) {
    const known = newest.get(keyOf(event))
    if (!known || BigInt(known.aggregateVersion) < BigInt(event.aggregateVersion)) newest.set(keyOf(event), event)
  }
  return [...newest.values()]
}

function keyOf({ aggregate, aggregateId }: Pick<EventEnvelope, 'aggregate' | 'aggregateId'>): string {
  return `${aggregate} ${aggregateId}`
}

/** Whether `markConsumed` would return false. Only a hint: another replica may be applying the event right now. */
export async function wasConsumed(
  database: Queryable,
  consumer: string,
  event: EventEnvelope,
  deliver: 'every' | 'newest',
): Promise<boolean> {
  const rows =
    deliver === 'every'
      ? await database.query(sql`
          select from consumed_event where consumer = ${consumer} and event_id = ${event.id}`)
      : await database.query(sql`
          select from consumed_version
          where consumer = ${consumer} and aggregate = ${event.aggregate} and aggregate_id = ${event.aggregateId}
            and version >= ${event.aggregateVersion}`)
  return rows.length > 0
}
