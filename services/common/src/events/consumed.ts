import sql from 'sql-template-tag'
import type { Queryable, Transaction } from '../postgres/index.ts'
import type { EventEnvelope } from './envelope.ts'

/**
 * Notes, in the transaction of the effect, that the consumer has applied the event. Waits for another transaction
 * that is applying the same event, or one of the same aggregate.
 * @returns false when there is nothing to apply: the event was applied before, or a newer one of its aggregate was
 */
export async function markConsumed(
  tx: Transaction,
  consumer: string,
  event: EventEnvelope,
  deliver: 'every' | 'newest',
): Promise<boolean> {
  const rows =
    deliver === 'every'
      ? await tx.query(sql`
          insert into consumed_event (consumer, event_id) values (${consumer}, ${event.id})
          on conflict do nothing returning 1`)
      : await tx.query(sql`
          insert into consumed_version (consumer, aggregate, aggregate_id, version)
          values (${consumer}, ${event.aggregate}, ${event.aggregateId}, ${event.aggregateVersion})
          on conflict (consumer, aggregate, aggregate_id) do update set version = excluded.version
            where consumed_version.version < excluded.version
          returning 1`)
  return rows.length > 0
}

/**
 * `markConsumed` for many events at once, where only the newest of an aggregate counts.
 * @returns those that are to be applied, one of each aggregate
 */
export async function markNewest(
  tx: Transaction,
  consumer: string,
  events: readonly EventEnvelope[],
): Promise<EventEnvelope[]> {
  const newest = newestOfEach(events)
  const column = (name: 'aggregate' | 'aggregateId' | 'aggregateVersion') => newest.map((event) => event[name])
  // In one order everywhere, so that two transactions with the same aggregates wait for each other once.
  const rows = await tx.query<{ aggregate: string; aggregateId: string }>(sql`
    insert into consumed_version (consumer, aggregate, aggregate_id, version)
    select ${consumer}, aggregate, aggregate_id, version
    from unnest(${column('aggregate')}::text[], ${column('aggregateId')}::text[], ${column('aggregateVersion')}::bigint[])
      as told (aggregate, aggregate_id, version)
    order by aggregate, aggregate_id
    on conflict (consumer, aggregate, aggregate_id) do update set version = excluded.version
      where consumed_version.version < excluded.version
    returning aggregate, aggregate_id as "aggregateId"`)
  const marked = new Set(rows.map(nameOf))
  return newest.filter((event) => marked.has(nameOf(event)))
}

function newestOfEach(events: readonly EventEnvelope[]): EventEnvelope[] {
  const newest = new Map<string, EventEnvelope>()
  for (const event of events) {
    const known = newest.get(nameOf(event))
    if (!known || BigInt(known.aggregateVersion) < BigInt(event.aggregateVersion)) newest.set(nameOf(event), event)
  }
  return [...newest.values()]
}

function nameOf({ aggregate, aggregateId }: Pick<EventEnvelope, 'aggregate' | 'aggregateId'>): string {
  return `${aggregate} ${aggregateId}`
}

/** Whether `markConsumed` would find nothing to apply. Only a hint, since others may be applying it right now. */
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
