import { insertInto, type Queryable, rowOf, setColumns, type Transaction } from '@storekeep/common/postgres'
import sql from 'sql-template-tag'
import type { Item } from '../domain/item.ts'
import { itemColumns, itemFields } from './schema.ts'

/** Identifies an item. */
export type ItemKey = Pick<Item, 'storeId' | 'id'>

/** Inserts items; a unit of an order that has an item already is left out. @returns the inserted ones, in order */
export async function insertItems(tx: Transaction, items: readonly Item[]): Promise<Item[]> {
  const inserted: Item[] = []
  for (let from = 0; from < items.length; from += rowsPerStatement) {
    const rows = items.slice(from, from + rowsPerStatement).map((item) => rowOf(itemFields, item))
    inserted.push(
      ...(await tx.query<Item>(sql`
        ${insertInto('delivery_item', rows)}
        on conflict (store_id, order_id, order_line, quantity_index) where order_id is not null do nothing
        returning ${itemColumns}`)),
    )
  }
  return inserted
}

/** Locks items until the transaction ends. */
export async function lockItems(tx: Transaction, storeId: string, ids: readonly string[]): Promise<Item[]> {
  return await tx.query<Item>(sql`
    select ${itemColumns} from delivery_item where store_id = ${storeId} and id = any(${ids}::bigint[])
    order by id for no key update`)
}

/** Locks all items of an order. */
export async function lockItemsOfOrder(tx: Transaction, storeId: string, orderId: string): Promise<Item[]> {
  return await tx.query<Item>(sql`
    select ${itemColumns} from delivery_item where store_id = ${storeId} and order_id = ${orderId}
    order by id for no key update`)
}

/** The first item of each order that is owned and not among these. */
export async function selectOtherOwnedItems(
  db: Queryable,
  storeId: string,
  orderIds: readonly string[],
  exceptIds: readonly string[],
): Promise<Item[]> {
  return await db.query<Item>(sql`
    select distinct on (order_id) ${itemColumns} from delivery_item
    where store_id = ${storeId} and order_id = any(${orderIds}::bigint[]) and state in ('usable', 'active')
      and not id = any(${exceptIds}::bigint[])
    order by order_id, id`)
}

/** Locks all items of a subscription, of all periods. */
export async function lockItemsOfSubscription(
  tx: Transaction,
  storeId: string,
  subscriptionId: string,
): Promise<Item[]> {
  return await tx.query<Item>(sql`
    select ${itemColumns} from delivery_item where store_id = ${storeId} and subscription_id = ${subscriptionId}
    order by id for no key update`)
}

export async function findItems(db: Queryable, storeId: string, ids: readonly string[]): Promise<Map<string, Item>> {
  if (ids.length === 0) return new Map()
  const rows = await db.query<Item>(sql`
    select ${itemColumns} from delivery_item where store_id = ${storeId} and id = any(${ids}::bigint[])`)
  return new Map(rows.map((row) => [row.id, row]))
}

/** The items of the same line and unit in this and earlier periods of the subscription; without one, the item alone. */
export async function selectPeriodsOf(db: Queryable, storeId: string, ids: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`
    select id from delivery_item where store_id = ${storeId} and id = any(${ids}::bigint[])
    union
    select earlier.id from delivery_item as item join delivery_item as earlier
      on earlier.store_id = item.store_id and earlier.subscription_id = item.subscription_id
      and earlier.subscription_line = item.subscription_line and earlier.quantity_index = item.quantity_index
      and earlier.period_start < item.period_start
    where item.store_id = ${storeId} and item.id = any(${ids}::bigint[])`)
  return rows.map(({ id }) => id)
}

/** The items of any store that are due to expire, oldest first. */
export async function findDueItems(db: Queryable, now: Date, limit: number): Promise<ItemKey[]> {
  return await db.query<ItemKey>(sql`
    select store_id as "storeId", id from delivery_item
    where state in ('usable', 'active') and expiry_due_at <= ${now}
    order by expiry_due_at limit ${limit}`)
}

/** Claims the items among these that are still due to expire: locks them until the transaction ends, and other replicas skip them. */
export async function lockDueItems(
  tx: Transaction,
  storeId: string,
  ids: readonly string[],
  now: Date,
): Promise<Item[]> {
  return await tx.query<Item>(sql`
    select ${itemColumns} from delivery_item
    where store_id = ${storeId} and id = any(${ids}::bigint[])
      and state in ('usable', 'active') and expiry_due_at <= ${now}
    order by id for no key update skip locked`)
}

/** When the item that has been due to expire for longest was due; null if none is. */
export async function oldestDue(db: Queryable, now: Date): Promise<Date | null> {
  const [row] = await db.query<{ dueAt: Date | null }>(sql`
    select min(expiry_due_at) as "dueAt" from delivery_item
    where state in ('usable', 'active') and expiry_due_at <= ${now}`)
  return row?.dueAt ?? null
}

/** Writes changes of a locked item and increments its version, by one or by the number of its events. */
export async function updateItem(
  tx: Transaction,
  { storeId, id }: Pick<Item, 'storeId' | 'id'>,
  changes: Partial<Omit<Item, 'id' | 'storeId' | 'version' | 'inlineTerms' | 'orderFacts' | 'customVariables'>>,
  events = 1,
): Promise<Item> {
  const columns = Object.fromEntries(
    Object.entries(changes).map(([field, value]) => [itemFields[field as keyof Item], value]),
  )
  const [row] = await tx.query<Item>(sql`
    update delivery_item set ${setColumns(columns)}, version = version + ${events}
    where store_id = ${storeId} and id = ${id} returning ${itemColumns}`)
  if (!row) throw new Error('a locked item has disappeared')
  return row
}

const rowsPerStatement = 500
