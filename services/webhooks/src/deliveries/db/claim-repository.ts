import type { Queryable, Transaction } from '@storekeep/common/postgres'
import sql from 'sql-template-tag'
import type { WebhookFormat } from '../../endpoints/domain/endpoint.ts'
import { type Allocation, bounds, type DueEndpoint } from '../domain/slots.ts'
import { type EndpointRef, isAnyOf } from './schema.ts'

/** A delivery with an attempt that this process makes. */
export interface ClaimedDelivery {
  storeId: string
  id: string
  webhookEndpointId: string
  /** Proves that the attempt is the current one of the delivery. */
  lease: string
  /** Earlier attempts. */
  attemptCount: number
  eventId: string
  eventType: string
  payload: string
  traceparent: string | null
  occurredAt: Date
  url: string
  format: WebhookFormat
}

export interface LockedEndpoint extends DueEndpoint {
  /** False if it was disabled or deleted. */
  isEnabled: boolean
  /** When the first lease of those in flight ends; null without any. */
  leasedUntil: Date | null
}

/** Whether any queue is due: one statement instead of a transaction. */
export async function hasDue(db: Queryable): Promise<boolean> {
  return (await db.query(sql`select from webhook_queue where due_at <= now() limit 1`)).length > 0
}

/**
 * Locks the due queues that no other sender has locked, with their stores: no other sender starts attempts of these stores
 * meanwhile, so the bounds hold across replicas.
 */
export async function lockDueEndpoints(tx: Transaction, limit: number): Promise<LockedEndpoint[]> {
  const locked = await tx.query<EndpointRef>(sql`
    select store_id as "storeId", webhook_endpoint_id as "webhookEndpointId" from webhook_queue
    where due_at <= now() order by due_at limit ${limit} for update skip locked`)
  if (locked.length === 0) return []
  const mine = await tx.query<{ storeId: string }>(sql`
    select store_id as "storeId" from unnest(${[...new Set(locked.map(({ storeId }) => storeId))]}::bigint[]) as store (store_id)
    where pg_try_advisory_xact_lock(hashtextextended('webhook_sender ' || store_id, 0))`)
  const storeIds = new Set(mine.map(({ storeId }) => storeId))
  const endpoints = locked.filter(({ storeId }) => storeIds.has(storeId))
  // NOTE A separate statement, because its snapshot must be newer than the locks.
  return await tx.query<LockedEndpoint>(sql`
    select queue.store_id as "storeId", webhook_endpoint_id as "webhookEndpointId",
      coalesce(endpoint.enabled, false) as "isEnabled", endpoint.failing_since is not null as "isFailing",
      (select count(*)::int from (
        select from webhook_delivery due
        where due.store_id = queue.store_id and due.webhook_endpoint_id = queue.webhook_endpoint_id
          and status = 'pending' and due_at <= now() limit ${bounds.perEndpoint + 1}
      ) as due) as due,
      in_flight as "inFlight", leased_until as "leasedUntil"
    from unnest(${endpoints.map(({ storeId }) => storeId)}::bigint[],
      ${endpoints.map(({ webhookEndpointId }) => webhookEndpointId)}::bigint[]
    ) with ordinality as queue (store_id, webhook_endpoint_id, position)
    left join webhook_endpoint endpoint
      on endpoint.store_id = queue.store_id and endpoint.id = queue.webhook_endpoint_id
    cross join lateral (
      select count(*)::int as in_flight, min(due_at) as leased_until from webhook_delivery leased
      where leased.store_id = queue.store_id and leased.webhook_endpoint_id = queue.webhook_endpoint_id
        and lease is not null and due_at > now()
    ) as leased
    order by position`)
}

/** Attempts in flight per store. */
export async function countInFlight(tx: Transaction, storeIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await tx.query<{ storeId: string; count: number }>(sql`
    select store_id as "storeId", count(*)::int as count from webhook_delivery
    where store_id = any(${storeIds}::bigint[]) and lease is not null and due_at > now() group by store_id`)
  return new Map(rows.map(({ storeId, count }) => [storeId, count]))
}

/** Starts attempts of deliveries that are due, up to the slots of each endpoint. */
export async function leaseDue(
  tx: Transaction,
  allocations: readonly Allocation<EndpointRef>[],
  leaseMs: number,
): Promise<ClaimedDelivery[]> {
  return await tx.query<ClaimedDelivery>(sql`
    with due as materialized (
      select due.store_id, due.id from unnest(
        ${allocations.map(({ endpoint }) => endpoint.storeId)}::bigint[],
        ${allocations.map(({ endpoint }) => endpoint.webhookEndpointId)}::bigint[], ${allocations.map(({ slots }) => slots)}::int[]
      ) as queue (store_id, webhook_endpoint_id, slots)
      cross join lateral (
        select store_id, id from webhook_delivery delivery
        where delivery.store_id = queue.store_id and delivery.webhook_endpoint_id = queue.webhook_endpoint_id
          and status = 'pending' and due_at <= now() order by due_at limit slots
      ) as due
    ), leased as (
      update webhook_delivery set lease = gen_random_uuid(), due_at = now() + ${leaseMs} * interval '1 millisecond'
      where (store_id, id) in (select store_id, id from due)
      returning store_id, id, webhook_endpoint_id, lease, attempt_count, event_id
    )
    select leased.store_id as "storeId", leased.id, webhook_endpoint_id as "webhookEndpointId", lease,
      attempt_count as "attemptCount", event_id as "eventId", event.type as "eventType", payload, traceparent,
      occurred_at as "occurredAt", url, format
    from leased
    join webhook_event event on event.store_id = leased.store_id and event.id = leased.event_id
    join webhook_endpoint endpoint on endpoint.store_id = leased.store_id and endpoint.id = leased.webhook_endpoint_id`)
}

/**
 * Ends pending deliveries of a locked endpoint that is disabled or deleted, unless an attempt is in flight. The later deliveries of
 * a resource end first: if the endpoint is enabled meanwhile, the first delivery still makes the next one due.
 * @returns whether none is left
 */
export async function failPending(
  tx: Transaction,
  { storeId, webhookEndpointId }: EndpointRef,
  { error, limit }: { error: string; limit: number },
): Promise<boolean> {
  const failed = await tx.query(sql`
    update webhook_delivery set status = 'failed', error = coalesce(error, ${error}), lease = null, due_at = null,
      completed_at = now()
    where store_id = ${storeId} and id in (
      select id from webhook_delivery
      where store_id = ${storeId} and webhook_endpoint_id = ${webhookEndpointId} and status = 'pending'
        and (lease is null or due_at <= now())
      order by resource desc, id desc limit ${limit}
    ) returning 1`)
  return failed.length < limit
}

/**
 * Sets when senders look at locked queues again: when the next delivery is due; if the endpoint has no free slot, when a slot
 * becomes free at the latest; if it is deferred, after `deferMs`. The end of an attempt makes its queue due immediately.
 */
export async function setQueuesDue(
  tx: Transaction,
  allocations: readonly Allocation<EndpointRef & { leasedUntil: Date | null }>[],
  { leaseMs, deferMs }: { leaseMs: number; deferMs: number },
): Promise<void> {
  const after = (ms: number) => sql`now() + ${ms} * interval '1 millisecond'`
  const storeIds = allocations.map(({ endpoint }) => endpoint.storeId)
  const endpointIds = allocations.map(({ endpoint }) => endpoint.webhookEndpointId)
  await tx.query(sql`
    update webhook_queue queue set due_at = case
      when given.is_deferred then ${after(deferMs)}
      when given.is_full then coalesce(given.leased_until, ${after(leaseMs)})
      else (
        select min(due_at) from webhook_delivery pending
        where pending.store_id = queue.store_id and pending.webhook_endpoint_id = queue.webhook_endpoint_id
          and status = 'pending' and due_at is not null)
      end
    from unnest(
      ${storeIds}::bigint[], ${endpointIds}::bigint[],
      ${allocations.map(({ isDeferred }) => isDeferred)}::boolean[], ${allocations.map(({ isFull }) => isFull)}::boolean[],
      ${allocations.map(({ endpoint }) => endpoint.leasedUntil)}::timestamptz[]
    ) as given (store_id, webhook_endpoint_id, is_deferred, is_full, leased_until)
    where queue.store_id = given.store_id and queue.webhook_endpoint_id = given.webhook_endpoint_id
      and ${isAnyOf({ table: 'queue', id: 'webhook_endpoint_id', storeIds, ids: endpointIds })}`)
}
