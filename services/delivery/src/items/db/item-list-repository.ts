import { type PagePlan, pageCondition, pageOrder } from '@storekeep/common/page'
import type { Queryable } from '@storekeep/common/postgres'
import sql, { empty } from 'sql-template-tag'
import { type AttemptRow, attemptColumns } from '../../attempts/db/schema.ts'
import type { Item } from '../domain/item.ts'
import type { ItemFilter } from '../domain/item-filter.ts'
import { itemColumns } from './schema.ts'

/** The rows of one page, in the order in which the plan reads. */
export async function selectItems(
  db: Queryable,
  storeId: string,
  { activeOnly, orderId, customerId, subscriptionId, gameServerId }: ItemFilter,
  plan: PagePlan,
): Promise<Item[]> {
  return await db.query<Item>(sql`
    select ${itemColumns} from delivery_item
    where store_id = ${storeId} and ${pageCondition(plan)}
      ${activeOnly ? sql`and state in ('usable', 'active')` : empty}
      ${orderId === undefined ? empty : sql`and order_id = ${orderId}`}
      ${customerId === undefined ? empty : sql`and customer_id = ${customerId}`}
      ${subscriptionId === undefined ? empty : sql`and subscription_id = ${subscriptionId}`}
      ${
        gameServerId === undefined
          ? empty
          : sql`and exists (
              select from command_attempt as attempt
              where attempt.store_id = ${storeId} and attempt.item_id = delivery_item.id
                and attempt.game_server_id = ${gameServerId})`
      }
    ${pageOrder(plan)} limit ${plan.take}`)
}

/** The attempts of a customer in one page, in the order in which the plan reads. */
export async function selectAttemptsOfCustomer(
  db: Queryable,
  storeId: string,
  customerId: string,
  plan: PagePlan,
): Promise<AttemptRow[]> {
  return await db.query<AttemptRow>(sql`
    select ${attemptColumns} from command_attempt
    where store_id = ${storeId} and customer_id = ${customerId} and ${pageCondition(plan)}
    ${pageOrder(plan)} limit ${plan.take}`)
}

/** The products among these of which the customer owns an item. */
export async function selectOwnedProducts(
  db: Queryable,
  storeId: string,
  customerId: string,
  productIds: readonly string[],
): Promise<string[]> {
  const rows = await db.query<{ productId: string }>(sql`
    select distinct product_id as "productId" from delivery_item
    where store_id = ${storeId} and customer_id = ${customerId} and product_id = any(${productIds}::bigint[])
      and state in ('usable', 'active')`)
  return rows.map(({ productId }) => productId)
}

export async function hasGameServer(db: Queryable, storeId: string, id: string): Promise<boolean> {
  const rows = await db.query(sql`select 1 from game_server where store_id = ${storeId} and id = ${id}`)
  return rows.length > 0
}
