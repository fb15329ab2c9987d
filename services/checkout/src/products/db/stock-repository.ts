import type { Queryable, Transaction } from '@storekeep/common/postgres'
import sql from 'sql-template-tag'
import { isEnabled, type StockQuery, type StockUsage, windowStart } from '../domain/stock.ts'

/*
 * A product with an enabled stock limit has a row in `product_stock`, and each line of a session with such a product one in
 * `stock_reservation`. Transactions that reserve, release or return units lock the rows of the products first, in the order of
 * their ids, so that limits hold exactly.
 */

/** Starts counting the units of a product, unless they are counted already. */
export function openStock(tx: Transaction, storeId: string, productId: string): void {
  tx.enqueueBeforeCommit(sql`
    insert into product_stock (store_id, product_id) values (${storeId}, ${productId}) on conflict do nothing`)
}

/** Locks the stock of products until the transaction ends. */
export async function lockStock(tx: Transaction, storeId: string, productIds: readonly string[]): Promise<void> {
  await tx.query(sql`
    select 1 from product_stock where store_id = ${storeId} and product_id = any(${productIds}::bigint[])
    order by product_id for update`)
}

/** The units of each product that are reserved or sold, in the order of the queries. */
export async function findStockUsage(
  db: Queryable,
  storeId: string,
  queries: readonly StockQuery[],
  now: Date,
): Promise<StockUsage[]> {
  const given = queries.map((query) => ({
    product_id: query.productId,
    customer_id: isEnabled(query.customerStockLimit) ? query.customerId : null,
    of_store: isEnabled(query.storeStockLimit),
    store_start: query.storeStockLimit && windowStart(query.storeStockLimit, now),
    customer_start: query.customerStockLimit && windowStart(query.customerStockLimit, now),
    all: !query.stockLimitDoNotIncludeRemoved,
  }))
  // The total of a product is a counter, because it can have any number of reservations.
  const rows = await db.query<{ byStore: string | null; byCustomer: string | null }>(sql`
    select
      case
        when not of_store then null
        when store_start is null then coalesce((
          select case when given.all then sold else sold - returned end from product_stock stock
          where stock.store_id = ${storeId} and stock.product_id = given.product_id), 0)
        else (
          select coalesce(sum(case when given.all then quantity else quantity - cardinality(returned_units) end), 0)
          from stock_reservation reserved
          where reserved.store_id = ${storeId} and reserved.product_id = given.product_id and reserved_at > store_start)
      end::text as "byStore",
      case when customer_id is not null then (
        select coalesce(sum(case when given.all then quantity else quantity - cardinality(returned_units) end), 0)
        from stock_reservation reserved
        where reserved.store_id = ${storeId} and reserved.product_id = given.product_id
          and reserved.customer_id = given.customer_id and reserved_at > coalesce(customer_start, '-infinity'))
      end::text as "byCustomer"
    from rows from (json_to_recordset(${JSON.stringify(given)}::json) as (
      product_id bigint, customer_id bigint, of_store boolean, store_start timestamptz, customer_start timestamptz, "all" boolean
    )) with ordinality as given (
      product_id, customer_id, of_store, store_start, customer_start, "all", position
    )
    order by position`)
  return rows.map(({ byStore, byCustomer }) => ({ byStore: count(byStore), byCustomer: count(byCustomer) }))
}

function count(sum: string | null): number | undefined {
  return sum === null ? undefined : Number(sum)
}

/** Units that a session reserves. */
export interface StockReservation {
  storeId: string
  checkoutId: string
  /** Of the line in the session, starting at 1. */
  position: number
  productId: string
  /** Who receives the units. */
  customerId: string
  quantity: number
  reservedAt: Date
}

/** Reserves units of a product whose stock the transaction has locked. */
export function insertStockReservation(tx: Transaction, reservation: StockReservation): void {
  const { storeId, productId, quantity } = reservation
  tx.insert('stock_reservation', {
    store_id: storeId,
    checkout_id: reservation.checkoutId,
    position: reservation.position,
    product_id: productId,
    customer_id: reservation.customerId,
    quantity,
    reserved_at: reservation.reservedAt,
  })
  tx.enqueueBeforeCommit(sql`
    update product_stock set sold = sold + ${quantity} where store_id = ${storeId} and product_id = ${productId}`)
}

/** Releases everything that sessions have reserved. */
export async function deleteStockReservations(
  tx: Transaction,
  sessions: readonly { storeId: string; id: string }[],
): Promise<void> {
  const storeIds = sessions.map(({ storeId }) => storeId)
  const ids = sessions.map(({ id }) => id)
  await tx.query(sql`
    select 1 from product_stock where (store_id, product_id) in (
      select store_id, product_id from stock_reservation
      where (store_id, checkout_id) in (select * from unnest(${storeIds}::bigint[], ${ids}::bigint[])))
    order by store_id, product_id for update`)
  await tx.query(sql`
    with released as (
      delete from stock_reservation
      where (store_id, checkout_id) in (select * from unnest(${storeIds}::bigint[], ${ids}::bigint[]))
      returning store_id, product_id, quantity, cardinality(returned_units) as returned
    ), sums as (
      select store_id, product_id, sum(quantity) as sold, sum(returned) as returned from released
      group by store_id, product_id
    )
    update product_stock set sold = product_stock.sold - sums.sold, returned = product_stock.returned - sums.returned
    from sums where product_stock.store_id = sums.store_id and product_stock.product_id = sums.product_id`)
}

/** A unit whose item has expired or was revoked. */
export interface ReturnedUnit {
  storeId: string
  checkoutId: string
  productId: string
  /** The line of the order that added the item. The order of a renewal has only some lines of the session. */
  position: number
  /** Position of the unit in its line, starting at 0. */
  unit: number
}

/** Records that a unit was returned, once. Does nothing if the unit was sold without a limit. */
export async function returnUnit(tx: Transaction, returned: ReturnedUnit): Promise<void> {
  const { storeId, checkoutId, productId, position, unit } = returned
  await lockStock(tx, storeId, [productId])
  await tx.query(sql`
    with returning_line as (
      update stock_reservation set returned_units = returned_units || ${unit}::smallint
      where store_id = ${storeId} and checkout_id = ${checkoutId} and position = (
          select position from stock_reservation line
          where line.store_id = ${storeId} and line.checkout_id = ${checkoutId} and line.product_id = ${productId}
          order by line.position = ${position} desc, line.position limit 1)
        and ${unit} < quantity and not ${unit}::smallint = any(returned_units)
      returning 1
    )
    update product_stock set returned = returned + (select count(*) from returning_line)
    where store_id = ${storeId} and product_id = ${productId}`)
}
