import type { Queryable } from '@storekeep/common/postgres'
import sql from 'sql-template-tag'
import { type Cart, type CartLine, cartKey } from '../domain/cart.ts'

export async function findCart(db: Queryable, storeId: string, customerId: string): Promise<Cart | undefined> {
  const [row] = await db.query<Cart>(sql`
    select lines, updated_at as "updatedAt" from cart where store_id = ${storeId} and customer_id = ${customerId}`)
  return row
}

/** Replaces the lines of a cart, and creates it if the customer has none. */
export async function writeCart(
  db: Queryable,
  { storeId, customerId }: { storeId: string; customerId: string },
  { lines, updatedAt }: Cart,
): Promise<void> {
  const stored = JSON.stringify(lines.map((line: CartLine) => ({ ...line, key: cartKey(line) })))
  await db.query(sql`
    insert into cart (store_id, customer_id, lines, updated_at)
    values (${storeId}, ${customerId}, ${stored}::jsonb, ${updatedAt})
    on conflict (store_id, customer_id) do update set lines = excluded.lines, updated_at = excluded.updated_at`)
}

export async function deleteCart(db: Queryable, storeId: string, customerId: string): Promise<void> {
  await db.query(sql`delete from cart where store_id = ${storeId} and customer_id = ${customerId}`)
}

/** Deletes carts that were last changed at this time or earlier. @returns how many */
export async function deleteIdleCarts(db: Queryable, until: Date, limit: number): Promise<number> {
  const rows = await db.query(sql`
    delete from cart where (store_id, customer_id) in (
      select store_id, customer_id from cart where updated_at <= ${until} order by updated_at limit ${limit}
      for update skip locked)
    returning 1`)
  return rows.length
}
