import type { Transaction } from '@storekeep/common/postgres'
import sql from 'sql-template-tag'
import { type EndpointRow, endpointColumns } from '../../endpoints/db/schema.ts'
import type { DisabledReason } from '../../endpoints/domain/endpoint.ts'
import type { DeliveryStatus } from '../domain/delivery-filter.ts'
import type { Health } from '../domain/health.ts'
import { type AttemptRow, type EndpointRef, isAnyOf } from './schema.ts'

/** The end of an attempt. */
export interface AttemptEnd extends EndpointRef, AttemptRow {
  deliveryId: string
  lease: string
  /** Where the request was sent. */
  url: string
  status: DeliveryStatus
  /** After which time the next attempt is due; null if none follows. */
  delayMs: number | null
}

/** Locks the queues of endpoints: see `wakeQueues`. */
export async function lockQueues(tx: Transaction, endpoints: readonly EndpointRef[]): Promise<void> {
  await tx.query(sql`
    select from webhook_queue where (store_id, webhook_endpoint_id) in (
      select * from unnest(${endpoints.map(({ storeId }) => storeId)}::bigint[],
        ${endpoints.map(({ webhookEndpointId }) => webhookEndpointId)}::bigint[])
    ) order by store_id, webhook_endpoint_id for update`)
}

/**
 * Records ended attempts, logs them, and makes the next delivery of each resource due whose delivery has ended. An attempt
 * whose lease has ended, since when another one was made, has no effect.
 * @returns the leases of the attempts that were recorded
 */
export async function recordEnds(tx: Transaction, ends: readonly AttemptEnd[]): Promise<Set<string>> {
  const column = <Name extends keyof AttemptEnd>(name: Name) => ends.map((end) => end[name])
  const json = (name: 'requestHeaders' | 'responseHeaders') => ends.map((end) => end[name] && JSON.stringify(end[name]))
  const isGiven = (table: 'delivery' | 'ended') =>
    isAnyOf({ table, id: 'id', storeIds: column('storeId'), ids: column('deliveryId') })
  const recorded = await tx.query<{ lease: string }>(sql`
    with given as materialized (
      select * from unnest(
        ${column('storeId')}::bigint[], ${column('deliveryId')}::bigint[], ${column('lease')}::uuid[],
        ${column('status')}::text[], ${column('delayMs')}::float8[], ${column('startedAt')}::timestamptz[],
        ${column('durationMs')}::int[], ${json('requestHeaders')}::jsonb[], ${column('responseStatus')}::int[],
        ${json('responseHeaders')}::jsonb[], ${column('responseBody')}::text[], ${column('error')}::text[]
      ) as given (store_id, id, lease, status, delay_ms, started_at, duration_ms, request_headers, response_status,
        response_headers, response_body, error)
    ), ended as (
      update webhook_delivery delivery set status = given.status, attempt_count = attempt_count + 1, lease = null,
        due_at = now() + given.delay_ms * interval '1 millisecond', response_status = given.response_status, error = given.error,
        completed_at = case when given.status <> 'pending' then now() end
      from given
      where delivery.store_id = given.store_id and delivery.id = given.id and delivery.lease = given.lease
        and ${isGiven('delivery')}
      returning delivery.store_id, delivery.id, attempt_count, given.lease
    ), logged as (
      insert into webhook_attempt (store_id, delivery_id, number, started_at, duration_ms, request_headers,
        response_status, response_headers, response_body, error)
      select store_id, id, attempt_count, started_at, duration_ms, request_headers, response_status, response_headers,
        response_body, error
      from ended join given using (store_id, id, lease)
    )
    select lease from ended`)
  const leases = recorded.map(({ lease }) => lease)
  await tx.query(sql`
    update webhook_delivery set due_at = now() where store_id = any(${column('storeId')}::bigint[]) and id = any(array(
      select (
        select min(id) from webhook_delivery next
        where next.store_id = ended.store_id and next.webhook_endpoint_id = ended.webhook_endpoint_id
          and next.resource = ended.resource and next.status = 'pending'
      ) from webhook_delivery ended
      where ${isGiven('ended')} and ended.status <> 'pending'
    )) and due_at is null`)
  return new Set(leases)
}

/** Ends leases without an attempt, so that another sender makes it. */
export async function releaseLeases(
  tx: Transaction,
  deliveries: readonly { storeId: string; id: string; lease: string }[],
): Promise<void> {
  const storeIds = deliveries.map(({ storeId }) => storeId)
  const ids = deliveries.map(({ id }) => id)
  await tx.query(sql`
    update webhook_delivery delivery set lease = null, due_at = now()
    from unnest(
      ${storeIds}::bigint[], ${ids}::bigint[], ${deliveries.map(({ lease }) => lease)}::uuid[]
    ) as given (store_id, id, lease)
    where delivery.store_id = given.store_id and delivery.id = given.id and delivery.lease = given.lease
      and status = 'pending' and ${isAnyOf({ table: 'delivery', id: 'id', storeIds, ids })}`)
}

/** An endpoint as attempts know it: a result of another URL says nothing about it. */
export interface EndpointTarget extends EndpointRef {
  url: string
}

/** The health of endpoints whose queues are locked, in the order of their keys. Only `failingSince` counts: null is healthy. */
export async function selectHealth(
  tx: Transaction,
  endpoints: readonly EndpointRef[],
): Promise<{ endpoint: EndpointTarget; health: Health }[]> {
  const rows = await tx.query<EndpointTarget & Health>(sql`
    select store_id as "storeId", webhook_endpoint_id as "webhookEndpointId", url, failing_since as "failingSince",
      last_failed_at as "lastFailedAt", failed_attempts as "failedAttempts"
    from webhook_queue queue
    join webhook_endpoint endpoint using (store_id)
    where endpoint.id = webhook_endpoint_id and (store_id, webhook_endpoint_id) in (
      select * from unnest(${endpoints.map(({ storeId }) => storeId)}::bigint[],
        ${endpoints.map(({ webhookEndpointId }) => webhookEndpointId)}::bigint[])
    ) order by store_id, webhook_endpoint_id`)
  return rows.map(({ storeId, webhookEndpointId, url, ...health }) => ({
    endpoint: { storeId, webhookEndpointId, url },
    health,
  }))
}

/** Writes the health of an endpoint whose queue is locked. Does not change its version. */
export async function updateHealth(
  tx: Transaction,
  { storeId, webhookEndpointId, url }: EndpointTarget,
  before: Health,
  { failingSince, lastFailedAt, failedAttempts }: Health,
): Promise<void> {
  await tx.query(sql`
    update webhook_queue set failed_attempts = ${failedAttempts}, last_failed_at = ${lastFailedAt}
    where store_id = ${storeId} and webhook_endpoint_id = ${webhookEndpointId}`)
  if (failingSince?.getTime() === before.failingSince?.getTime()) return
  await tx.query(sql`
    update webhook_endpoint set failing_since = ${failingSince}
    where store_id = ${storeId} and id = ${webhookEndpointId} and url = ${url} and enabled`)
}

/** @returns the endpoint after the change; undefined if it is disabled already, or has another URL */
export async function disableEndpoint(
  tx: Transaction,
  { storeId, webhookEndpointId, url }: EndpointTarget,
  { failingSince, disabledReason }: { failingSince: Date | null; disabledReason: DisabledReason },
  { updatedBy, updatedAt }: { updatedBy: string; updatedAt: Date },
): Promise<EndpointRow | undefined> {
  const [row] = await tx.query<EndpointRow>(sql`
    update webhook_endpoint set enabled = false, failing_since = ${failingSince}, disabled_reason = ${disabledReason},
      updated_by = ${updatedBy}, updated_at = ${updatedAt}, version = version + 1
    where store_id = ${storeId} and id = ${webhookEndpointId} and url = ${url} and enabled
    returning ${endpointColumns}`)
  return row
}
