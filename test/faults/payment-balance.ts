import type pg from 'pg'
import type { FakeStripe } from '../../services/orders/test/fake-stripe.ts'

/** Compares what Stripe and the desk received with the orders, refunds and coupons of a store. */
export async function readBalance(database: pg.Client, stripe: FakeStripe, storeId: string): Promise<Balance> {
  const read = async <Row extends object>(text: string) => (await database.query<Row>(text, [storeId])).rows
  const payments = await read<{ id: string; provider: string; status: string; settlement: string }>(
    `select id, provider, status, settlement from orders.payment where store_id = $1`,
  )
  const orders = await read<{ checkout: string; payment: string; unconfirmed: boolean }>(`
    select checkout_id as checkout, payment_id as payment, coupon_id is not null and not exists (
        select from coupons.redemption
        where store_id = store_order.store_id and checkout_id = store_order.checkout_id and state = 'confirmed'
      ) as unconfirmed
    from orders.store_order where store_id = $1`)
  const [unreleased] = await read<{ count: number }>(`
    select count(*)::int as count from coupons.redemption join checkout.checkout_session as session
      on session.store_id = redemption.store_id and session.id = checkout_id
    where redemption.store_id = $1 and state in ('reserved', 'confirmed') and session.status in ('canceled', 'expired')`)
  const [invoices] = await read<{ gaps: number; missing: number }>(`
    select coalesce(sum(missing), 0)::int as missing, coalesce(sum(latest - numbered), 0)::int as gaps from (
      select max(invoice_number) as latest, count(distinct invoice_number) as numbered,
        count(*) filter (where invoice_number is null) as missing
      from orders.store_order where store_id = $1 group by invoice_year
    ) per_year`)
  const manual = payments.filter(({ provider, status }) => provider === 'manual' && status === 'succeeded')
  const refundedManually = new Set(manual.filter(({ settlement }) => settlement === 'refunded').map(({ id }) => id))
  const own = new Set(payments.map(({ id }) => id))
  const received = [
    ...manual.map(({ id }) => ({ id, refunds: refundedManually.has(id) ? 1 : 0 })),
    ...stripe
      .intents()
      .filter(({ status }) => status === 'succeeded')
      .map((intent) => ({
        id: intent.metadata.storekeep_payment_id ?? '',
        refunds: stripe.refunds().filter(({ payment_intent }) => payment_intent === intent.id).length,
      }))
      .filter(({ id }) => own.has(id)),
  ].map((one) => ({ ...one, orders: orders.filter(({ payment }) => payment === one.id).length }))
  const paid = new Set(received.map(({ id }) => id))
  return {
    payments: received.length,
    orders: orders.length,
    refunds: received.filter(({ refunds }) => refunds > 0).length,
    'double orders': orders.length - new Set(orders.map(({ checkout }) => checkout)).size,
    'payments without order or refund': received.filter((one) => one.orders + one.refunds === 0).length,
    'payments with both or two refunds': received.filter((one) => one.refunds > 0 && one.orders + one.refunds > 1)
      .length,
    'orders without payment': orders.filter(({ payment }) => !paid.has(payment)).length,
    'orders without redemption': orders.filter(({ unconfirmed }) => unconfirmed).length,
    'redemptions without order': unreleased?.count ?? 0,
    'orders without invoice': invoices?.missing ?? 0,
    'gaps in invoice numbers': invoices?.gaps ?? 0,
    unsettled: payments.filter(({ settlement }) => settlement === 'pending' || settlement === 'refunding').length,
  }
}

export type Balance = Record<
  | 'payments'
  | 'orders'
  | 'refunds'
  | 'double orders'
  | 'payments without order or refund'
  | 'payments with both or two refunds'
  | 'orders without payment'
  | 'orders without redemption'
  | 'redemptions without order'
  | 'orders without invoice'
  | 'gaps in invoice numbers'
  | 'unsettled',
  number
>

/** What must hold once everything is settled. */
export const balanced = {
  'double orders': 0,
  'payments without order or refund': 0,
  'payments with both or two refunds': 0,
  'orders without payment': 0,
  'orders without redemption': 0,
  'redemptions without order': 0,
  'orders without invoice': 0,
  'gaps in invoice numbers': 0,
  unsettled: 0,
} as const satisfies Partial<Balance>
