import type { PagePlan } from '@storekeep/common/page'
import { expectRow, type Queryable, type Transaction } from '@storekeep/common/postgres'
import sql from 'sql-template-tag'
import type { DeliveryFilter } from '../domain/delivery-filter.ts'
import { deliveriesInOrder, preferOrder } from './in-order.ts'
import { type AttemptRow, type DeliveryRow, deliveryColumns, type EndpointRef } from './schema.ts'

/** The rows of one page, in the order in which the plan reads. */
export async function selectPage(
  tx: Transaction,
  endpoint: EndpointRef,
  filter: DeliveryFilter,
  plan: PagePlan,
): Promise<DeliveryRow[]> {
  await preferOrder(tx)
  return await tx.query<DeliveryRow>(deliveriesInOrder(deliveryColumns, endpoint, filter, plan))
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
  const rows = await db.query<{ payload: string }>(sql`
    select payload from webhook_event where store_id = ${storeId} and id = ${eventId}`)
  return expectRow(rows).payload
}

/** The attempts of a delivery, oldest first. */
export async function selectAttempts(db: Queryable, { storeId, id }: DeliveryRow): Promise<AttemptRow[]> {
  return await db.query<AttemptRow>(sql`
    select started_at as "startedAt", duration_ms as "durationMs", request_headers as "requestHeaders",
      response_status as "responseStatus", response_headers as "responseHeaders", response_body as "responseBody", error
    from webhook_attempt where store_id = ${storeId} and delivery_id = ${id} order by number`)
}
