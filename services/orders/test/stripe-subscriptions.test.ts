import { eventsOf, faultOf, randomId } from '@storekeep/common/testing'
import { IntervalScale } from '@storekeep/proto/checkout/v1/product'
import { OrderStatus } from '@storekeep/proto/orders/v1/order'
import { PaymentSettlement as Settlement } from '@storekeep/proto/orders/v1/payment'
import { CancellationReason as Reason, SubscriptionStatus as Status } from '@storekeep/proto/orders/v1/subscription'
import sql, { raw } from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import type { FakeSession } from './fake-checkout.ts'
import { signed } from './fake-stripe.ts'
import { addresses, asShopper, inStore } from './harness.ts'
import { useStripeSubscriptions } from './stripe-harness.ts'

const { orders, stripe, startAtStripe, deliver, subscribe } = useStripeSubscriptions()
const { checkout } = orders
const minute = 60_000
const totals = (all: { totalAmount: bigint }[]) => all.map(({ totalAmount }) => totalAmount)
const ms = (time: { seconds: bigint } | undefined) => Number(time?.seconds ?? 0) * 1000

/** A coupon of 1.00 on the subscription. */
function discounted(total: bigint, others: object[] = []): Partial<FakeSession> {
  const line = {
    name: 'VIP',
    quantity: 1,
    unitPrice: 1000n,
    discountAmount: 100n,
    totalAmount: 900n,
    subscription: true,
  }
  return { lines: [line, ...others], couponId: randomId(), couponDiscountAmount: 100n, totalAmount: total }
}

describe('a subscription at Stripe', () => {
  it('renews what Stripe has collected, with the payment of each invoice, and the periods of Stripe', async () => {
    const given = await subscribe()
    const [first] = await given.orders()
    expect(first).toMatchObject({ totalAmount: 1000n, payment: { providerReference: expect.stringMatching(/^pi_/) } })
    const { invoice, webhooks } = stripe.renew(given.reference)
    await given.deliver(...webhooks)
    const [, renewal, ...others] = await given.orders()
    expect(others).toEqual([])
    expect(renewal).toMatchObject({
      totalAmount: 1000n,
      status: OrderStatus.PAID,
      payment: { providerReference: invoice.payments.data[0]?.payment.payment_intent ?? '' },
    })
    const [period] = invoice.lines.data
    expect(ms((await given.read())?.currentPeriodEnd)).toBe((period?.period.end ?? 0) * 1000)
    await orders.orders.createRefund({ orderId: renewal?.id ?? '' }, given.options)
    expect((await given.orders()).map(({ status }) => status)).toEqual([OrderStatus.PAID, OrderStatus.REFUNDED])
    await orders.orders.createRefund({ orderId: first?.id ?? '', amount: 1n }, given.options)
    expect((await given.orders())[0]).toMatchObject({ refundedAmount: 1n })
  })

  it('renews with the invoice of a webhook in an older API version, and rejects a webhook of an unknown shape', async () => {
    const given = await subscribe()
    const { parent, ...invoice } = stripe.renew(given.reference).invoice
    const inVersion = (version: string, fields: object) =>
      signed('invoice.paid', { ...invoice, ...fields }, { version })
    const unknown = deliver(given.storeId, inVersion('2031-01-01.future', { subscriptions: [given.reference] }))
    expect(await faultOf(unknown)).toMatchObject({ code: 'bad-request' })
    expect(await given.orders()).toHaveLength(1)
    const { subscription, metadata } = parent.subscription_details
    await given.deliver(inVersion('2024-06-20', { subscription, subscription_details: { metadata } }))
    expect(await given.orders()).toHaveLength(2)
  })

  it.each<[string, Partial<FakeSession>, object, bigint[]]>([
    [
      'one-time lines',
      {
        lines: [
          { name: 'VIP', quantity: 1, unitPrice: 1000n, totalAmount: 1000n, subscription: true },
          { name: 'Kit', quantity: 1, unitPrice: 500n, totalAmount: 500n },
        ],
        subtotalAmount: 1500n,
        totalAmount: 1500n,
      },
      {},
      [1500n, 1000n, 1000n],
    ],
    ['a coupon for the first period', discounted(900n), { discountedPeriods: 1 }, [900n, 1000n, 1000n]],
    ['a coupon for all periods', discounted(900n), {}, [900n, 900n, 900n]],
    ['a coupon for two periods', discounted(900n), { discountedPeriods: 2 }, [900n, 900n, 1000n]],
    [
      'a free first period',
      { totalAmount: 0n, affiliateDiscountAmount: 1000n, affiliateLinkId: randomId() },
      {},
      [0n, 1000n, 1000n],
    ],
  ])('charges what the session has promised: %s', async (_, fields, terms, expected) => {
    const given = await subscribe(fields, terms)
    expect(given.payment.amount).toBe(expected[0])
    for (let period = 1; period < expected.length; period += 1) {
      expect((await given.read())?.renewalAmount).toBe(expected[period])
      await given.deliver(...stripe.renew(given.reference).webhooks)
    }
    expect(totals(await given.orders())).toEqual(expected)
  })

  it('is not started with a coupon that Stripe cannot express', async () => {
    const payment = await startAtStripe(discounted(900n), { intervalScale: IntervalScale.WEEK, discountedPeriods: 2 })
    expect(payment).toMatchObject({ failureReason: 'Stripe cannot renew with this coupon.' })
  })

  it('is refunded although Stripe named the payments of its invoices late', async () => {
    const payment = await startAtStripe()
    const paid = stripe.pay(payment.id)
    const reference = stripe.sessionOf(payment.id).subscription ?? ''
    const { webhooks } = stripe.renew(reference)
    const invoices = stripe.invoices(reference)
    const late = invoices.map(({ payments }) => payments.data.splice(0))
    for (const webhook of [paid, ...webhooks]) await deliver(payment.storeId, webhook)
    const options = inStore(payment.storeId)
    const page = { asc: true, limit: 100 }
    const created = (await orders.orders.listOrders({ page }, options)).orders
    expect(created.map(({ payment: of }) => of?.providerReference)).toEqual([undefined, undefined])
    const refundAll = async () => {
      for (const { id: orderId } of created) await orders.orders.createRefund({ orderId }, options)
      return (await orders.orders.listOrders({ page }, options)).orders.map(({ status }) => status)
    }
    expect(await refundAll()).toEqual([OrderStatus.PAID, OrderStatus.PAID])
    for (const [index, data] of late.entries()) invoices[index]?.payments.data.push(...data)
    expect(await refundAll()).toEqual([OrderStatus.REFUNDED, OrderStatus.REFUNDED])
    const { payments } = await orders.client.listPayments({ checkoutId: payment.checkoutId }, options)
    const references = late.map(([one]) => one?.payment.payment_intent)
    expect(payments.map(({ providerReference }) => providerReference).sort()).toEqual(references.sort())
  })

  it('reads the renewals that are stored once, instead of inserting each of them again', async () => {
    const given = await subscribe()
    for (let period = 1; period < 3; period += 1) await given.deliver(...stripe.renew(given.reference).webhooks)
    // Postgres checks this even for an insert that then conflicts and does nothing.
    const constraint = raw(`renewals_of_${given.id}`)
    await orders.database.query(
      sql`alter table payment add constraint ${constraint} check (renewal_of <> ${raw(given.id)}) not valid`,
    )
    await given.deliver(stripe.changed(given.reference))
    const { webhooks } = stripe.renew(given.reference)
    await faultOf(given.deliver(...webhooks))
    await orders.database.query(sql`alter table payment drop constraint ${constraint}`)
    await given.deliver(...webhooks)
    expect(await given.orders()).toHaveLength(4)
  })

  it('is canceled at Stripe first, also if responses are lost, and not twice', async () => {
    const given = await subscribe()
    stripe.outage = 'down'
    const failed = await faultOf(given.cancel())
    stripe.outage = 'losesResponses'
    const lost = await faultOf(given.cancel())
    stripe.outage = 'none'
    for (const fault of [failed, lost]) expect(fault).toMatchObject({ code: 'service-unavailable' })
    expect(await given.read()).toMatchObject({ cancelAtPeriodEnd: false })
    await given.cancel()
    expect(stripe.subscription(given.reference)).toMatchObject({ status: 'active', cancel_at_period_end: true })
    await given.cancel(true)
    expect(stripe.subscription(given.reference).status).toBe('canceled')
    expect((await given.cancel(true)).subscription).toMatchObject({ status: Status.CANCELED })
    // Its period is read from Stripe after it has ended, or was before.
    await given.deliver(stripe.changed(given.reference))
    const types = (await eventsOf(orders, given.id)).map(({ type }) => type)
    expect(types.filter((type) => type === 'subscription.canceled')).toHaveLength(1)
  })

  it('ends at Stripe if its first payment is refunded because the session has ended', async () => {
    const payment = await startAtStripe()
    const paid = stripe.pay(payment.id)
    checkout.cancel(payment.checkoutId)
    stripe.outage = 'down'
    await faultOf(deliver(payment.storeId, paid))
    stripe.outage = 'none'
    await deliver(payment.storeId, paid)
    const read = async () =>
      (await orders.client.listPayments({ checkoutId: payment.checkoutId }, inStore(payment.storeId))).payments[0]
    await expect.poll(read).toMatchObject({ settlement: Settlement.REFUNDED })
    expect(stripe.subscription(stripe.sessionOf(payment.id).subscription ?? '').status).toBe('canceled')
  })

  it('keeps the payment that Stripe named late when it is refunded without an order', async () => {
    const payment = await startAtStripe()
    const paid = stripe.pay(payment.id)
    checkout.cancel(payment.checkoutId)
    const [invoice] = stripe.invoices(stripe.sessionOf(payment.id).subscription ?? '')
    const late = invoice?.payments.data.splice(0) ?? []
    await deliver(payment.storeId, paid)
    invoice?.payments.data.push(...late)
    orders.clock.advance(61 * minute)
    const read = async () =>
      (await orders.client.listPayments({ checkoutId: payment.checkoutId }, inStore(payment.storeId))).payments[0]
    const providerReference = late[0]?.payment.payment_intent
    await expect.poll(read).toMatchObject({ settlement: Settlement.REFUNDED, providerReference })
  })

  it('uses a new payment method that the customer enters at Stripe', async () => {
    const given = await subscribe()
    const request = { subscriptionId: given.id, portalSecret: orders.customers.signIn(given), ...addresses }
    const { redirectUrl = '' } = await orders.subscriptions.startPaymentMethodUpdate(request, asShopper(given.storeId))
    expect(stripe.subscription(given.reference).default_payment_method).toBe('pm_first')
    const entered = stripe.enterMethod(redirectUrl)
    stripe.rejectMethods(true)
    // The failure is logged, and Stripe sends the webhook again.
    expect(await faultOf(given.deliver(entered))).toMatchObject({ code: 'service-unavailable' })
    stripe.rejectMethods(false)
    await given.deliver(entered)
    expect(stripe.subscription(given.reference).default_payment_method).toMatch(/^pm_of_seti/)
    // Nothing is left to change, so that Stripe need not repeat it.
    await given.deliver(stripe.endSubscription(given.reference, 'cancellation_requested'), entered)
  })

  it('does not renew for a banned customer, whose paid period stays', async () => {
    const given = await subscribe()
    await expect.poll(async () => ms((await given.read())?.updatedAt)).toBeGreaterThan(0)
    checkout.banned.add(given.customerId)
    const end = ms((await given.read())?.currentPeriodEnd)
    orders.clock.advance(end - orders.clock.now().getTime() - 50 * minute)
    await expect.poll(given.read).toMatchObject({ cancelAtPeriodEnd: true, cancellationReason: Reason.BANNED })
    expect(await given.read()).toMatchObject({ status: Status.ACTIVE })
    expect(stripe.subscription(given.reference)).toMatchObject({ cancel_at_period_end: true })
  })
})

describe('a second payment of a period', () => {
  it('is refunded, with the same reason at every attempt', async () => {
    const given = await subscribe()
    const [first, second] = [stripe.renew(given.reference), stripe.renew(given.reference)]
    second.invoice.lines.data = first.invoice.lines.data
    stripe.rejectsRefunds = true
    await given.deliver(...first.webhooks, ...second.webhooks)
    expect(await given.orders()).toHaveLength(2)
    const refunds = () =>
      orders.database.query<{ status: string; reason: string }>(
        sql`select status, reason from refund where store_id = ${given.storeId} order by id`,
      )
    const reason = 'The period of the subscription was already paid.'
    orders.clock.advance(minute)
    await expect.poll(refunds).toEqual(['failed', 'pending'].map((status) => ({ status, reason })))
    stripe.rejectsRefunds = false
    orders.clock.advance(61 * minute)
    await expect.poll(refunds).toEqual(['failed', 'succeeded'].map((status) => ({ status, reason })))
  })
})

describe('a dispute about a renewal', () => {
  it('charges its order back, even if it is reported before the renewal', async () => {
    const given = await subscribe()
    const { invoice } = stripe.renew(given.reference)
    await given.deliver(stripe.disputeInvoice(invoice, 'needs_response'))
    expect((await given.orders()).map(({ status }) => status)).toEqual([OrderStatus.PAID, OrderStatus.CHARGED_BACK])
    await given.deliver(stripe.disputeInvoice(invoice, 'won'))
    expect((await given.orders()).map(({ status }) => status)).toEqual([OrderStatus.PAID, OrderStatus.PAID])
  })

  it('charges its order back although Stripe named the payment of its invoice late', async () => {
    const given = await subscribe()
    const { invoice, webhooks } = stripe.renew(given.reference)
    const late = invoice.payments.data.splice(0)
    await given.deliver(...webhooks)
    invoice.payments.data.push(...late)
    await given.deliver(stripe.disputeInvoice(invoice, 'needs_response'))
    expect((await given.orders()).map(({ status }) => status)).toEqual([OrderStatus.PAID, OrderStatus.CHARGED_BACK])
  })
})
