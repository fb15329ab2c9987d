import { eventsOf, faultOf } from '@storekeep/common/testing'
import { OrderStatus, RefundStatus } from '@storekeep/proto/orders/v1/order'
import { type Payment, PaymentSettlement as Settlement } from '@storekeep/proto/orders/v1/payment'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { failuresOf, inStore } from './harness.ts'
import { useStripePayments } from './stripe-harness.ts'

const { orders, stripe, newPayment, deliver, read, orderOf } = useStripePayments()
const { checkout } = orders

/** The number of refunds in each state. */
const countRefunds = ({ storeId, id }: Payment) =>
  orders.database.query(
    sql`select status, count(*) from refund where store_id = ${storeId} and payment_id = ${id} group by 1 order by 1`,
  )

describe('a refund with Stripe', () => {
  async function paidOrder() {
    const payment = await newPayment()
    await deliver(payment, stripe.pay(payment.id))
    const order = await orderOf(payment)
    return { payment, orderId: order?.id ?? '', options: inStore(payment.storeId) }
  }

  it.each(['down', 'losesResponses'] as const)('is made once if Stripe fails meanwhile (%s)', async (how) => {
    const { payment, orderId, options } = await paidOrder()
    stripe.outage = how
    const { refund } = await orders.orders.createRefund({ orderId, amount: 500n }, options)
    stripe.outage = 'none'
    expect(refund?.status).toBe(RefundStatus.PENDING)
    expect(failuresOf(orders, payment)).toEqual(['refund failed: retrying'])
    orders.clock.advance(5001)
    await expect.poll(() => orderOf(payment)).toMatchObject({ refundedAmount: 500n })
    const made = stripe.refunds().filter(({ metadata }) => metadata.storekeep_refund_id === refund?.id)
    expect(made).toHaveLength(1)
    const attempts = sql`select attempts from refund where store_id = ${payment.storeId} and payment_id = ${payment.id}`
    expect(await orders.database.query(attempts)).toEqual([{ attempts: 0 }])
  })

  it('a refund that Stripe rejects, or that fails later, does not count', async () => {
    const { payment, orderId, options } = await paidOrder()
    stripe.rejectsRefunds = true
    const rejected = await orders.orders.createRefund({ orderId }, options)
    stripe.rejectsRefunds = false
    expect(rejected.refund).toMatchObject({ status: RefundStatus.FAILED, failureReason: expect.any(String) })
    expect(await orderOf(payment)).toMatchObject({ status: OrderStatus.PAID })
    const { refund } = await orders.orders.createRefund({ orderId }, options)
    expect(await orderOf(payment)).toMatchObject({ status: OrderStatus.REFUNDED, refundedAmount: 2000n })
    await deliver(payment, stripe.endRefund(refund?.id ?? '', 'failed'))
    expect(await orderOf(payment)).toMatchObject({ status: OrderStatus.PAID, refundedAmount: 0n })
  })

  it('a refund of a payment without an order that Stripe always rejects is attempted less and less often', async () => {
    const payment = await newPayment()
    checkout.cancel(payment.checkoutId)
    stripe.rejectsRefunds = true
    await deliver(payment, stripe.pay(payment.id))
    const delays = () =>
      orders.database.query<{ hours: number }>(sql`
        select (extract(epoch from next_at - created_at) / 3600)::float as hours from refund
        where store_id = ${payment.storeId} and payment_id = ${payment.id} and status = 'pending'`)
    for (const hours of [1, 2, 4, 8]) {
      await expect.poll(delays).toEqual([{ hours }])
      orders.clock.advance(hours * 3_600_000 + 1)
    }
    await expect.poll(delays).toEqual([{ hours: 16 }])
    stripe.rejectsRefunds = false
    orders.clock.advance(16 * 3_600_000 + 1)
    await expect.poll(() => read(payment)).toMatchObject({ settlement: Settlement.REFUNDED })
  })

  it('a slow refund counts when Stripe reports that it succeeded', async () => {
    const { payment, orderId, options } = await paidOrder()
    stripe.refundStatus = 'pending'
    const { refund } = await orders.orders.createRefund({ orderId }, options)
    stripe.refundStatus = 'succeeded'
    expect(refund?.status).toBe(RefundStatus.PENDING)
    await deliver(payment, stripe.endRefund(refund?.id ?? '', 'succeeded'))
    expect(await orderOf(payment)).toMatchObject({ status: OrderStatus.REFUNDED })
  })
})

describe("a refund on Stripe's dashboard", () => {
  it('becomes one refund of the order, however often and in which order it is reported', async () => {
    const payment = await newPayment()
    await deliver(payment, stripe.pay(payment.id))
    const { id = '' } = (await orderOf(payment)) ?? {}
    const first = stripe.refundOnDashboard(payment.id, 500)
    for (const webhook of [first.updated, first.created, first.updated]) await deliver(payment, webhook)
    expect(await orderOf(payment)).toMatchObject({ status: OrderStatus.PARTIALLY_REFUNDED, refundedAmount: 500n })
    const second = stripe.refundOnDashboard(payment.id, 1500)
    await Promise.all([second.created, second.updated, second.updated].map((webhook) => deliver(payment, webhook)))
    expect(await orderOf(payment)).toMatchObject({ status: OrderStatus.REFUNDED, refundedAmount: 2000n })
    const types = (await eventsOf(orders, id)).map(({ type }) => type)
    expect(types).toEqual(['order.created', 'order.refunded', 'order.refunded'])
    const again = orders.orders.createRefund({ orderId: id }, inStore(payment.storeId))
    expect(await faultOf(again)).toMatchObject({ code: 'conflict' })
  })

  it('a refund reported before its payment is reported again until there is an order', async () => {
    const payment = await newPayment()
    const paid = stripe.pay(payment.id)
    const { updated } = stripe.refundOnDashboard(payment.id, 2000)
    expect(await faultOf(deliver(payment, updated))).toMatchObject({ code: 'service-unavailable' })
    await deliver(payment, paid)
    await deliver(payment, updated)
    expect(await orderOf(payment)).toMatchObject({ status: OrderStatus.REFUNDED })
  })

  it('a refund of a payment without an order counts, so that only the rest is refunded', async () => {
    const payment = await newPayment()
    checkout.cancel(payment.checkoutId)
    stripe.rejectsRefunds = true
    await deliver(payment, stripe.pay(payment.id))
    stripe.rejectsRefunds = false
    expect(await read(payment)).toMatchObject({ settlement: Settlement.REFUNDING })
    await deliver(payment, stripe.refundOnDashboard(payment.id, 500).updated)
    // The pending refund of the whole amount is rejected, and replaced by one of the rest.
    for (let hour = 0; hour < 2; hour += 1) {
      const count = await countRefunds(payment)
      orders.clock.advance((hour + 1) * 3_600_001)
      await expect.poll(() => countRefunds(payment)).not.toEqual(count)
    }
    expect(await read(payment)).toMatchObject({ settlement: Settlement.REFUNDED })
    const { payment_intent } = stripe.sessionOf(payment.id)
    const amounts = stripe.refunds().filter((one) => one.payment_intent === payment_intent)
    expect(amounts.map(({ amount }) => amount)).toEqual([500, 1500])
  })
})

describe('a dispute with Stripe', () => {
  it('charges the order back until it is won, regardless of the order of the webhooks', async () => {
    const payment = await newPayment()
    await deliver(payment, stripe.pay(payment.id))
    await deliver(payment, stripe.dispute(payment.id, 'warning_needs_response'))
    expect(await orderOf(payment)).toMatchObject({ status: OrderStatus.PAID })
    const created = stripe.dispute(payment.id, 'needs_response')
    await deliver(payment, created)
    await deliver(payment, created)
    expect(await orderOf(payment)).toMatchObject({ status: OrderStatus.CHARGED_BACK })
    await deliver(payment, stripe.dispute(payment.id, 'won'))
    await deliver(payment, created)
    expect(await orderOf(payment)).toMatchObject({ status: OrderStatus.PAID })
  })

  it('creates the order as charged back although the webhooks of the payment are lost', async () => {
    const payment = await newPayment()
    stripe.pay(payment.id)
    await deliver(payment, stripe.dispute(payment.id, 'needs_response'))
    orders.clock.advance(10 * 60_000 + 1)
    await expect.poll(() => orderOf(payment)).toMatchObject({ status: OrderStatus.CHARGED_BACK })
  })

  it('a dispute reported before the payment creates the order as charged back', async () => {
    const payment = await newPayment()
    const paid = stripe.pay(payment.id)
    await deliver(payment, stripe.dispute(payment.id, 'needs_response'))
    await deliver(payment, paid)
    expect(await orderOf(payment)).toMatchObject({ status: OrderStatus.CHARGED_BACK })
    const types = (await eventsOf(orders, (await orderOf(payment))?.id ?? '')).map(({ type }) => type)
    expect(types).toContain('order.charged_back')
  })
})
