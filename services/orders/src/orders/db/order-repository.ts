import { type PagePlan, pageCondition, pageOrder } from '@storekeep/common/page'
import {
  type Columns,
  expectRow,
  type Queryable,
  rowOf,
  selectColumns,
  type Transaction,
} from '@storekeep/common/postgres'
import sql, { empty, join, raw } from 'sql-template-tag'
import type { ProviderName } from '../../payments/domain/payment.ts'
import { invoiceNumber } from '../domain/invoice-year.ts'
import type { Json, OrderStatus } from '../domain/order.ts'
import type { OrderFilter } from '../domain/order-filter.ts'

/** An order as the repository returns it. Ids, numbers and versions are int8 and therefore strings. */
export interface OrderRow extends NewOrder {
  id: string
  number: string
  /** "2026-000001". Null without tax. */
  invoiceNumber: string | null
  refundedAmount: bigint
  updatedAt: Date | null
  version: string
}

/** What an order has from its payment. */
export type FromPayment =
  | 'storeId'
  | 'checkoutId'
  | 'customerId'
  | 'paymentId'
  | 'paymentProvider'
  | 'paymentReference'
  | 'locale'

export interface NewOrder {
  /** Null: a new id. */
  id: string | null
  storeId: string
  checkoutId: string
  customerId: string
  status: OrderStatus
  currency: string
  /** Protobuf JSON of the lines of the session. */
  lines: Json
  couponId: string | null
  couponVersionId: string | null
  /** The code of the coupon when it was applied. */
  couponCode: string | null
  affiliateLinkId: string | null
  subtotalAmount: bigint
  couponDiscountAmount: bigint
  affiliateDiscountAmount: bigint
  totalAmount: bigint
  /** Protobuf JSON of how the order is taxed, its net and its tax. All are null without tax. */
  tax: Json | null
  netAmount: bigint | null
  taxAmount: bigint | null
  /** The year by which the number of its invoice starts. */
  invoiceYear: number | null
  metadata: Record<string, string>
  /** Protobuf JSON of the shopper's details. */
  billingDetails: Json | null
  /** Normalized by `parseEmailAddress`. */
  foldedEmail: string | null
  /** The language in which the shopper paid, as a BCP 47 tag; null if it is not known. */
  locale: string | null
  paymentId: string
  paymentProvider: ProviderName
  paymentReference: string | null
  subscriptionId: string | null
  /** Whether the order renews its subscription. */
  renewal: boolean
  /** The period of the subscription that the order pays. */
  periodStart: Date | null
  periodEnd: Date | null
  createdAt: Date
}

/** An id for an order that is inserted later. From Postgres like the others, so that the ids of orders are in their order. */
export async function newOrderId(db: Queryable): Promise<string> {
  return expectRow(await db.query<{ id: string }>(sql`select flake_id() as id`)).id
}

/**
 * Inserts an order with the next number of its store. Orders of a store are numbered one after the other, without gaps, and so are the
 * invoices of taxed orders in each year: the counters stay locked until the transaction ends.
 */
export async function insertOrder(tx: Transaction, order: NewOrder): Promise<OrderRow> {
  const row = rowOf(newOrderColumns, {
    ...order,
    lines: JSON.stringify(order.lines),
    tax: order.tax && JSON.stringify(order.tax),
  })
  const rows = await tx.query<StoredOrder>(sql`
    with counter as (
      insert into order_counter (store_id, latest) values (${order.storeId}, 1)
      on conflict (store_id) do update set latest = order_counter.latest + 1 returning latest
    ), invoice as (
      insert into invoice_counter (store_id, year, latest)
      select ${order.storeId}, ${order.invoiceYear}, 1 from counter where ${order.invoiceYear}::smallint is not null
      on conflict (store_id, year) do update set latest = invoice_counter.latest + 1 returning latest
    )
    insert into store_order (id, number, invoice_number, ${raw(Object.keys(row).join(', '))})
    values (coalesce(${order.id}, flake_id()), (select latest from counter), (select latest from invoice),
      ${join(Object.values(row))})
    returning ${orderColumns}`)
  return toOrderRow(expectRow(rows))
}

export async function findOrder(db: Queryable, storeId: string, id: string): Promise<OrderRow | undefined> {
  const [row] = await db.query<StoredOrder>(
    sql`select ${orderColumns} from store_order where store_id = ${storeId} and id = ${id}`,
  )
  return row && toOrderRow(row)
}

/** The order of a session, which is not a renewal. */
export async function findOrderOfCheckout(
  db: Queryable,
  storeId: string,
  checkoutId: string,
): Promise<OrderRow | undefined> {
  const [row] = await db.query<StoredOrder>(
    sql`select ${orderColumns} from store_order
      where store_id = ${storeId} and checkout_id = ${checkoutId} and not renewal`,
  )
  return row && toOrderRow(row)
}

/** Whether a period of a locked subscription has an order. */
export async function isPeriodPaid(
  tx: Transaction,
  { storeId, subscriptionId, periodStart }: Pick<OrderRow, 'storeId' | 'subscriptionId' | 'periodStart'>,
): Promise<boolean> {
  const rows = await tx.query(sql`
    select 1 from store_order
    where store_id = ${storeId} and subscription_id = ${subscriptionId} and period_start = ${periodStart}`)
  return rows.length > 0
}

/** Locks the order until the transaction ends. Its payment is locked first. */
export async function lockOrder(tx: Transaction, storeId: string, id: string): Promise<OrderRow> {
  const rows = await tx.query<StoredOrder>(
    sql`select ${orderColumns} from store_order where store_id = ${storeId} and id = ${id} for no key update`,
  )
  return toOrderRow(expectRow(rows))
}

/** Writes the new state of a locked order and increments its version. */
export async function updateOrder(
  tx: Transaction,
  { storeId, id }: Pick<OrderRow, 'storeId' | 'id'>,
  { status, refundedAmount }: Pick<OrderRow, 'status' | 'refundedAmount'>,
  now: Date,
): Promise<OrderRow> {
  const rows = await tx.query<StoredOrder>(sql`
    update store_order set status = ${status}, refunded_amount = ${refundedAmount}, updated_at = ${now},
      version = version + 1
    where store_id = ${storeId} and id = ${id} returning ${orderColumns}`)
  return toOrderRow(expectRow(rows))
}

/** The rows of one page, in the order in which the plan reads. */
export async function selectOrders(
  db: Queryable,
  storeId: string,
  { status, customerId, email, subscriptionId, checkoutId, createdAfter, createdBefore }: OrderFilter,
  plan: PagePlan,
): Promise<OrderRow[]> {
  const rows = await db.query<StoredOrder>(sql`
    select ${orderColumns} from store_order
    where store_id = ${storeId} and ${pageCondition(plan)}
      ${status === undefined ? empty : sql`and status = ${status}`}
      ${customerId === undefined ? empty : sql`and customer_id = ${customerId}`}
      ${email === undefined ? empty : sql`and folded_email = ${email}`}
      ${subscriptionId === undefined ? empty : sql`and subscription_id = ${subscriptionId}`}
      ${checkoutId === undefined ? empty : sql`and checkout_id = ${checkoutId}`}
      ${createdAfter === undefined ? empty : sql`and created_at >= ${createdAfter}`}
      ${createdBefore === undefined ? empty : sql`and created_at < ${createdBefore}`}
    ${pageOrder(plan)} limit ${plan.take}`)
  return rows.map(toOrderRow)
}

/** An order as Postgres returns it: amounts are int8 and therefore strings. */
export type StoredOrder = { [K in keyof OrderRow]: OrderRow[K] extends bigint ? string : OrderRow[K] } & {
  netAmount: string | null
  taxAmount: string | null
}

export function toOrderRow(stored: StoredOrder): OrderRow {
  return {
    ...stored,
    subtotalAmount: BigInt(stored.subtotalAmount),
    couponDiscountAmount: BigInt(stored.couponDiscountAmount),
    affiliateDiscountAmount: BigInt(stored.affiliateDiscountAmount),
    totalAmount: BigInt(stored.totalAmount),
    refundedAmount: BigInt(stored.refundedAmount),
    netAmount: stored.netAmount === null ? null : BigInt(stored.netAmount),
    taxAmount: stored.taxAmount === null ? null : BigInt(stored.taxAmount),
    invoiceNumber:
      stored.invoiceYear === null || stored.invoiceNumber === null
        ? null
        : invoiceNumber({ year: stored.invoiceYear, number: stored.invoiceNumber }),
  }
}

const newOrderColumns = {
  storeId: 'store_id',
  checkoutId: 'checkout_id',
  customerId: 'customer_id',
  status: 'status',
  currency: 'currency',
  lines: 'lines',
  couponId: 'coupon_id',
  couponVersionId: 'coupon_version_id',
  couponCode: 'coupon_code',
  affiliateLinkId: 'affiliate_link_id',
  subtotalAmount: 'subtotal_amount',
  couponDiscountAmount: 'coupon_discount_amount',
  affiliateDiscountAmount: 'affiliate_discount_amount',
  totalAmount: 'total_amount',
  tax: 'tax',
  netAmount: 'net_amount',
  taxAmount: 'tax_amount',
  invoiceYear: 'invoice_year',
  metadata: 'metadata',
  billingDetails: 'billing_details',
  foldedEmail: 'folded_email',
  locale: 'locale',
  paymentId: 'payment_id',
  paymentProvider: 'payment_provider',
  paymentReference: 'payment_reference',
  subscriptionId: 'subscription_id',
  renewal: 'renewal',
  periodStart: 'period_start',
  periodEnd: 'period_end',
  createdAt: 'created_at',
} as const satisfies Columns<keyof Omit<NewOrder, 'id'>>

/** The columns of a StoredOrder, in a statement that reads from `store_order`. */
export const orderColumns = selectColumns({
  id: 'id',
  number: 'number',
  invoiceNumber: 'invoice_number',
  ...newOrderColumns,
  refundedAmount: 'refunded_amount',
  updatedAt: 'updated_at',
  version: 'version',
} satisfies Columns<keyof OrderRow>)
