import type { PagePlan } from '@storekeep/common/page'
import type { Transaction } from '@storekeep/common/postgres'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import { type DeliveryFilter, type DeliveryStatus, deliveryStatuses } from '../domain/delivery-filter.ts'
import type { EndpointRef } from './schema.ts'

/** A part of the deliveries of an endpoint, in the order of their ids. */
export type DeliveryPart = Pick<PagePlan, 'above' | 'below' | 'ascending' | 'take'>

/**
 * Selects up to `take` deliveries of an endpoint that meet the filter, in the order of their ids, and after `preferOrder` reads no
 * others. Without a state in the filter, the statement takes as many of each state.
 *
 * @param columns must contain `id`
 */
export function deliveriesInOrder(
  columns: Sql,
  { storeId, webhookEndpointId }: EndpointRef,
  { status, eventType }: DeliveryFilter,
  { above, below, ascending, take }: DeliveryPart,
): Sql {
  const direction = raw(ascending ? 'asc' : 'desc')
  // Rows are compared and sorted by all columns of the index, although the first ones are equal: no other index has this order.
  const ofState = (one: DeliveryStatus): Sql => {
    const first = eventType === undefined ? [one] : [eventType, one]
    const columnsOfIndex = eventType === undefined ? ['status', 'id'] : ['event_type', 'status', 'id']
    const key = raw(columnsOfIndex.join(', '))
    const order = join(columnsOfIndex.map((column) => sql`${raw(column)} ${direction}`))
    return sql`(
      select ${columns} from webhook_delivery
      where store_id = ${storeId} and webhook_endpoint_id = ${webhookEndpointId}
        and (${key}) > (${join(first)}, ${above}::bigint) and (${key}) < (${join(first)}, ${below}::bigint)
      order by ${order} limit ${take})`
  }
  const states = (status === undefined ? deliveryStatuses : [status]).map(ofState)
  return sql`select * from (${join(states, ' union all ')}) as delivery order by id ${direction} limit ${take}`
}

/**
 * Makes `deliveriesInOrder` use the index that has its order, for the rest of the transaction. Without statistics, or with those
 * from before deliveries failed, sorting all deliveries of an endpoint looks as cheap to Postgres.
 */
export async function preferOrder(tx: Transaction): Promise<void> {
  await tx.query(sql`
    select set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
      set_config('enable_sort', 'off', true)`)
}
