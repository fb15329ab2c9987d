import { type PagePlan, pageCondition, pageOrder } from '@storekeep/common/page'
import type { Queryable } from '@storekeep/common/postgres'
import sql, { empty, type Sql } from 'sql-template-tag'
import type { DeliveryFilter, DeliveryStatus } from '../domain/delivery-filter.ts'
import { type AttemptRow, type DeliveryRow, deliveryColumns, type EndpointRef } from './schema.ts'

/** The rows of one page, in the order in which the plan reads. */
export async function selectPage(
  db: Queryable,
  { storeId, webhookEndpointId }: EndpointRef,
  { status, eventType }: DeliveryFilter,
  plan: PagePlan,
): Promise<DeliveryRow[]> {
  return await db.query<DeliveryRow>(sql`
    select ${deliveryColumns} from webhook_delivery
    where store_id = ${storeId} and webhook_endpoint_id = ${webhookEndpointId} and ${pageCondition(plan)}
      ${status === undefined ? empty : statusIs(status)}
      ${eventType === undefined ? empty : sql`and event_type = ${eventType}`}
    ${pageOrder(plan)} limit ${plan.take}`)
}

/** Without a parameter for failed deliveries, since a kept plan uses their index only if the statement names the state. */
function statusIs(status: DeliveryStatus): Sql {
  return status === 'failed' ? sql`and status = 'failed'` : sql`and status = ${status}`
}

/** Returns a delivery of an endpoint. */
export async function findDelivery(
  db: Queryable,
  { storeId, webhookEndpointId }: EndpointRef,
  id: string,
): Promise<DeliveryRow | undefined> {
  const [row] = await db.query<DeliveryRow>(sql`
    select ${deliveryColumns} from webhook_delivery
    where store_id = ${storeId} and id = ${id} and webhook_endpoint_id = ${webhookEndpointId}`)
  return row
}

/** The payload of an event, as it is sent. */
export async function findPayload(db: Queryable, { storeId, eventId }: DeliveryRow): Promise<string> {
  const [row] = await db.query<{ payload: string }>(sql`
    select payload from webhook_event where store_id = ${storeId} and id = ${eventId}`)
  if (!row) throw new Error('a delivery has no event')
  return row.payload
}

/** The attempts of a delivery, oldest first. */
export async function selectAttempts(db: Queryable, { storeId, id }: DeliveryRow): Promise<AttemptRow[]> {
  return await db.query<AttemptRow>(sql`
    select started_at as "startedAt", duration_ms as "durationMs", request_headers as "requestHeaders",
      response_status as "responseStatus", response_headers as "responseHeaders", response_body as "responseBody", error
    from webhook_attempt where store_id = ${storeId} and delivery_id = ${id} order by number`)
}
