import { expectRow, type Queryable, type Transaction } from '@storekeep/common/postgres'
import sql, { type Sql } from 'sql-template-tag'
import type { DeliveryStatus } from '../domain/delivery-filter.ts'
import { hasNoDelivery } from './resend-repository.ts'
import { type DeliveryRow, deliveryColumns, type EndpointRef, type WebhookEvent } from './schema.ts'

/** Which of the stores have an endpoint that is enabled. */
export async function selectReceivingStores(db: Queryable, storeIds: readonly string[]): Promise<Set<string>> {
  const rows = await db.query<{ storeId: string }>(sql`
    select distinct store_id as "storeId" from webhook_endpoint where store_id = any(${storeIds}::bigint[]) and enabled`)
  return new Set(rows.map(({ storeId }) => storeId))
}

/**
 * Stores events and schedules a delivery to each enabled endpoint that is subscribed to them. Events that are already stored, and
 * events without such an endpoint, have no effect.
 *
 * Events older than the endpoint, its enabling or its subscription to the type (a recreated stream can contain them) are not
 * delivered. The times come from the clocks of two machines, so a minute is allowed.
 *
 * @returns the number of scheduled deliveries
 */
export async function scheduleEvents(tx: Transaction, events: readonly WebhookEvent[]): Promise<number> {
  const storeIds = [...new Set(events.map(({ storeId }) => storeId))]
  const types = ['*', ...new Set(events.map(({ type }) => type))]
  const endpoints = await tx.query<EndpointRef>(sql`
    select store_id as "storeId", id as "webhookEndpointId" from webhook_endpoint
    where store_id = any(${storeIds}::bigint[]) and enabled and event_types && ${types}::text[]`)
  await wakeQueues(tx, endpoints)
  const column = <Name extends keyof WebhookEvent>(name: Name) => events.map((event) => event[name])
  const rows = await tx.query(sql`
    with given as materialized (
      select * from unnest(
        ${column('storeId')}::bigint[], ${column('id')}::uuid[], ${column('type')}::text[], ${column('resource')}::text[],
        ${column('payload')}::text[], ${events.map(({ traceparent = null }) => traceparent)}::text[],
        ${column('occurredAt')}::timestamptz[]
      ) with ordinality as given (store_id, id, type, resource, payload, traceparent, occurred_at, position)
    ), wanted as materialized (
      select given.*, endpoint.id as webhook_endpoint_id from given
      join webhook_endpoint endpoint on endpoint.store_id = given.store_id
        and endpoint.id = any(${endpoints.map(({ webhookEndpointId }) => webhookEndpointId)}::bigint[])
        and exists (
          select from unnest(endpoint.event_types, endpoint.receives_since) as received (type, since)
          where received.type in (given.type, '*')
            and coalesce(received.since, endpoint.created_at) <= given.occurred_at + interval '1 minute'
        )
    ), stored as (
      insert into webhook_event (store_id, id, type, resource, payload, traceparent, occurred_at, created_at)
      select store_id, id, type, resource, payload, traceparent, occurred_at, now() from given
      where exists (select from wanted where wanted.store_id = given.store_id and wanted.id = given.id)
      on conflict do nothing returning store_id, id
    )
    insert into webhook_delivery
      (store_id, webhook_endpoint_id, event_id, event_type, resource, status, due_at, created_at)
    select store_id, webhook_endpoint_id, id, type, resource, 'pending',
      ${dueIfFirst({ storeId: sql`wanted.store_id`, webhookEndpointId: sql`wanted.webhook_endpoint_id`, resource: sql`wanted.resource` })},
      now()
    from wanted join stored using (store_id, id) order by position, webhook_endpoint_id
    returning 1`)
  return rows.length
}

/** Schedules an event for one endpoint, regardless of its subscriptions. */
export async function scheduleForOne(
  tx: Transaction,
  event: WebhookEvent,
  endpoint: EndpointRef,
): Promise<DeliveryRow> {
  await tx.query(sql`
    insert into webhook_event (store_id, id, type, resource, payload, traceparent, occurred_at, created_at)
    values (${event.storeId}, ${event.id}, ${event.type}, ${event.resource}, ${event.payload}, ${event.traceparent ?? null},
      ${event.occurredAt}, now())`)
  return expectRow(await scheduleAgain(tx, endpoint, { eventIds: [event.id] }))
}

/**
 * Schedules stored events for an endpoint again, behind its pending deliveries, in the given order. Events that were deleted
 * are skipped, and so are events with a delivery to the endpoint in any of the states `unless`: while the queue is locked, no delivery
 * to the endpoint ends.
 */
export async function scheduleAgain(
  tx: Transaction,
  { storeId, webhookEndpointId }: EndpointRef,
  { eventIds, unless = [] }: { eventIds: readonly string[]; unless?: readonly DeliveryStatus[] },
): Promise<DeliveryRow[]> {
  // Keeps maintenance from deleting the events. Locked before the queue, so that no lock on the queue waits for a deletion.
  await tx.query(sql`
    select from webhook_event where store_id = ${storeId} and id = any(${eventIds}::uuid[]) order by id for key share`)
  await wakeQueues(tx, [{ storeId, webhookEndpointId }])
  return await tx.query<DeliveryRow>(sql`
    insert into webhook_delivery
      (store_id, webhook_endpoint_id, event_id, event_type, resource, status, due_at, created_at)
    select event.store_id, ${webhookEndpointId}, event.id, event.type, event.resource, 'pending',
      ${dueIfFirst({ storeId: sql`event.store_id`, webhookEndpointId: sql`${webhookEndpointId}::bigint`, resource: sql`event.resource` })},
      now()
    from unnest(${eventIds}::uuid[]) with ordinality as again (id, position)
    join webhook_event event on event.store_id = ${storeId} and event.id = again.id
    where ${hasNoDelivery(unless, { storeId, webhookEndpointId }, sql`event.id`)}
    order by position
    returning ${deliveryColumns}`)
}

/**
 * When a new delivery is due: immediately if it is the first of its resource for the endpoint, among the deliveries scheduled with it
 * and the pending ones; otherwise null, until the previous delivery ends.
 */
function dueIfFirst(key: Record<'storeId' | 'webhookEndpointId' | 'resource', Sql>): Sql {
  const { storeId, webhookEndpointId, resource } = key
  return sql`case
    when row_number() over (partition by ${storeId}, ${webhookEndpointId}, ${resource} order by position) = 1 and not exists (
      select from webhook_delivery earlier
      where earlier.store_id = ${storeId} and earlier.webhook_endpoint_id = ${webhookEndpointId}
        and earlier.resource = ${resource} and earlier.status = 'pending'
    ) then now() end`
}

/**
 * Forces index plans for this transaction: plans cached while the tables were small keep doing sequential scans after they grow.
 */
export async function preferIndexes(tx: Transaction): Promise<void> {
  await tx.query(sql`
    select set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
      set_config('enable_mergejoin', 'off', true), set_config('enable_material', 'off', true)`)
}

/**
 * Wakes the senders and locks the endpoints' queues for the transaction. This serializes changes to an endpoint's pending
 * deliveries, so each change sees whether an earlier delivery is pending.
 */
export async function wakeQueues(tx: Transaction, endpoints: readonly EndpointRef[]): Promise<void> {
  // A fixed order prevents deadlocks.
  await tx.query(sql`
    insert into webhook_queue (store_id, webhook_endpoint_id, due_at)
    select distinct store_id, webhook_endpoint_id, now() from unnest(
      ${endpoints.map(({ storeId }) => storeId)}::bigint[],
      ${endpoints.map(({ webhookEndpointId }) => webhookEndpointId)}::bigint[]
    ) as endpoint (store_id, webhook_endpoint_id)
    order by store_id, webhook_endpoint_id
    on conflict (store_id, webhook_endpoint_id) do update set due_at = least(webhook_queue.due_at, excluded.due_at)`)
}
