import type { Queryable } from '@storekeep/common/postgres'
import sql, { empty } from 'sql-template-tag'
import { type AttemptRow, attemptColumns, type ServerKey } from '../../attempts/db/schema.ts'
import type { ResendFilter } from '../domain/resend-filter.ts'

/**
 * The commands of a server that are sent again, in the order in which they were queued: what delivered the items that customers
 * own, also in earlier periods of their subscription. With a filter that names items, what was or would have been delivered, even
 * if it was taken back since.
 *
 * Stuck commands are always among them, because after an outage of a plugin nothing else says what it has missed. They count from
 * the time at which they became stuck.
 *
 * A command and its repetitions count as one, which is returned once if any of them matches: after a repetition, the original may
 * be unqueued, or have been executed at another time.
 */
export async function selectResent(
  db: Queryable,
  storeId: string,
  filter: ResendFilter,
  limit: number,
): Promise<AttemptRow[]> {
  const { gameServerId, startsAt, endsAt, itemId, customerId, orderId, productId, subscriptionId, namesItems } = filter
  return await db.query<AttemptRow>(sql`
    select distinct on (${originalOf}) ${attemptColumns} from command_attempt
    where store_id = ${storeId} and game_server_id = ${gameServerId}
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
    order by ${originalOf}, id limit ${limit}`)
}

/** The stuck ones among these commands of a server and their repetitions. */
export async function selectStuck(
  db: Queryable,
  { storeId, gameServerId }: ServerKey,
  attempts: readonly AttemptRow[],
): Promise<string[]> {
  const itemIds = [...new Set(attempts.map(({ itemId }) => itemId))]
  const originalIds = attempts.map(({ id, originalId }) => originalId ?? id)
  const rows = await db.query<{ id: string }>(sql`
    select id from command_attempt
    where store_id = ${storeId} and game_server_id = ${gameServerId} and item_id = any(${itemIds}::bigint[])
      and state = 'pending' and stuck_at is not null and ${originalOf} = any(${originalIds}::bigint[])`)
  return rows.map(({ id }) => id)
}

const originalOf = sql`coalesce(original_id, id)`
