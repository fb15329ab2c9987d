import type { Queryable } from '@storekeep/common/postgres'
import sql, { empty } from 'sql-template-tag'
import { type AttemptRow, attemptColumns } from '../../attempts/db/schema.ts'
import type { ResendFilter } from '../domain/resend-filter.ts'

/**
 * The commands of a server that are sent again, in the order in which they were queued: what delivered the items that customers
 * own, also in earlier periods of their subscription. With a filter that names items, what was or would have been delivered, even
 * if it was taken back since.
 *
 * Stuck commands are always among them, because after an outage of a plugin nothing else says what it has missed. They count from
 * the time at which they became stuck.
 *
 * Commands that were sent again before are left out, because the original is among the result.
 */
export async function selectResent(
  db: Queryable,
  storeId: string,
  filter: ResendFilter,
  limit: number,
): Promise<AttemptRow[]> {
  const { gameServerId, startsAt, endsAt, itemId, customerId, orderId, productId, subscriptionId, namesItems } = filter
  const columns = attemptColumns
  return await db.query<AttemptRow>(sql`
    select ${columns} from command_attempt
    where store_id = ${storeId} and game_server_id = ${gameServerId} and not rerun
      and stage in ('on_purchase', 'on_renew')
      and (state = 'executed' or state = 'pending' and stuck_at is not null ${namesItems ? sql`or state = 'unqueued'` : empty})
      ${startsAt === undefined ? empty : sql`and coalesce(executed_at, stuck_at) >= ${startsAt}`}
      ${endsAt === undefined ? empty : sql`and coalesce(executed_at, stuck_at) < ${endsAt}`}
      ${itemId === undefined ? empty : sql`and item_id = ${itemId}`}
      ${customerId === undefined ? empty : sql`and customer_id = ${customerId}`}
      and item_id in (
        select item.id from delivery_item as item where item.store_id = ${storeId}
          ${itemId === undefined ? empty : sql`and item.id = ${itemId}`}
          ${customerId === undefined ? empty : sql`and item.customer_id = ${customerId}`}
          ${orderId === undefined ? empty : sql`and item.order_id = ${orderId}`}
          ${productId === undefined ? empty : sql`and item.product_id = ${productId}`}
          ${subscriptionId === undefined ? empty : sql`and item.subscription_id = ${subscriptionId}`}
          ${
            namesItems
              ? empty
              : sql`and (item.state in ('usable', 'active') or item.state = 'renewed' and exists (
                  select from delivery_item as later
                  where later.store_id = ${storeId} and later.subscription_id = item.subscription_id
                    and later.subscription_line = item.subscription_line
                    and later.quantity_index = item.quantity_index and later.state in ('usable', 'active')))`
          }
      )
    order by id limit ${limit}`)
}
