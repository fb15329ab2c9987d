import { eventsOf, faultOf, randomId } from '@storekeep/common/testing'
import { OrderStatus, RefundStatus } from '@storekeep/proto/orders/v1/order'
import {
  type Payment,
  PaymentProvider as Provider,
  PaymentSettlement as Settlement,
  PaymentStatus as Status,
} from '@storekeep/proto/orders/v1/payment'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FakeStripe, type SignedWebhook, signed, startFakeStripe, stripeSecrets } from './fake-stripe.ts'
import { asShopper, inStore, start, useOrders } from './harness.ts'

let stripe: FakeStripe
beforeAll(async () => {
  stripe = await startFakeStripe()
})
afterAll(() => stripe.close())

const orders = useOrders(async (env) => ({ ...env, STRIPE_BASE_URL: stripe.url }))
const { checkout } = orders
const day = 24 * 3_600_000

/** A store that takes Stripe, and a session to pay there. */
async function newSession(currency = 'eur') {
  const session = checkout.add(randomId(), { currency, customerDetails: { billingEmail: 'robin@example.com' } })
  const enabledProviders = { providers: [Provider.STRIPE] }
  await orders.client.updatePaymentSettings({ ...stripeSecrets, enabledProviders }, inStore(session.storeId))
  return session
}

async function newPayment(): Promise<Payment> {
  return await start(orders, await newSession(), Provider.STRIPE)
}

const deliver = ({ storeId }: Payment, webhook: SignedWebhook) =>
  orders.client.handleWebhook({ provider: Provider.STRIPE, ...webhook }, asShopper(storeId))

async function read({ checkoutId, storeId, id }: Payment): Promise<Payment | undefined> {
  const { payments } = await orders.client.listPayments({ checkoutId }, inStore(storeId))
  return payments.find((one) => one.id === id)
}

async function orderOf(payment: Payment) {
  const { orders: all } = await orders.orders.listOrders({}, inStore(payment.storeId))
  expect(all.length).toBeLessThanOrEqual(1)
  return all[0]
}

/** The number of refunds in each state. */
const countRefunds = ({ storeId, id }: Payment) =>
  orders.database.query(
    sql`select status, count(*) from refund where store_id = ${storeId} and payment_id = ${id} group by 1 order by 1`,
  )

describe('a payment with Stripe', () => {
  it('redirects to a session with the total, and becomes one order however often its webhooks arrive', async () => {
    const session = await newSession()
    const started = await orders.client.startPayment(
      {
        token: session.token,
        provider: Provider.STRIPE,
        successUrl: 'https://a.example',
        cancelUrl: 'https://b.example',
      },
      asShopper(session.storeId),
    )
    const payment = started.payment as Payment
    const created = stripe.sessionOf(payment.id)
    expect(started.redirectUrl).toBe(created.url)
    expect(created).toMatchObject({ amount_total: 2000, currency: 'eur', customer_email: 'robin@example.com' })
    const paid = stripe.pay(payment.id)
    await Promise.all([deliver(payment, paid), deliver(payment, paid), deliver(payment, paid)])
    await deliver(payment, stripe.expire(payment.id))
    expect(await orderOf(payment)).toMatchObject({
      status: OrderStatus.PAID,
      payment: { providerReference: created.payment_intent ?? '' },
    })
    expect(await eventsOf(orders, (await orderOf(payment))?.id ?? '')).toHaveLength(1)
  })

  it('with a delayed method succeeds days later, even if the webhooks are reordered', async () => {
    const payment = await newPayment()
    const completed = stripe.pay(payment.id, 'unpaid')
    await deliver(payment, completed)
    expect(await read(payment)).toMatchObject({ status: Status.PROCESSING })
    expect(await orderOf(payment)).toBeUndefined()
    orders.clock.advance(3 * day)
    await deliver(payment, stripe.finishDelayed(payment.id, true))
    await deliver(payment, completed)
    expect(await orderOf(payment)).toMatchObject({ status: OrderStatus.PAID })
    const reordered = await newPayment()
    const first = stripe.pay(reordered.id, 'unpaid')
    await deliver(reordered, stripe.finishDelayed(reordered.id, true))
    await deliver(reordered, first)
    expect(await read(reordered)).toMatchObject({ status: Status.SUCCEEDED, settlement: Settlement.COMPLETED })
  })

  it('with a delayed method that fails leaves the session open', async () => {
    const payment = await newPayment()
    await deliver(payment, stripe.pay(payment.id, 'unpaid'))
    await deliver(payment, stripe.finishDelayed(payment.id, false))
    expect(await read(payment)).toMatchObject({ status: Status.FAILED })
  })

  it('can no longer be made for the old total once another tab pays a new one', async () => {
    const session = await newSession()
    const setTotal = (totalAmount: bigint) =>
      Object.assign(checkout.get(session.id) ?? {}, { totalAmount, subtotalAmount: totalAmount })
    const first = await start(orders, session, Provider.STRIPE)
    setTotal(1500n)
    stripe.outage = 'down'
    expect(await faultOf(start(orders, session, Provider.STRIPE))).toMatchObject({ code: 'service-unavailable' })
    stripe.outage = 'none'
    const second = await start(orders, session, Provider.STRIPE)
    expect(stripe.sessionOf(first.id).status).toBe('expired')
    expect(stripe.sessionOf(second.id)).toMatchObject({ status: 'open', amount_total: 1500 })
    // The shopper has paid before the total changes again.
    const paid = stripe.pay(second.id)
    setTotal(1200n)
    const third = await start(orders, session, Provider.STRIPE)
    expect(stripe.sessionOf(third.id)).toMatchObject({ status: 'open', amount_total: 1200 })
    await deliver(second, paid)
    expect(await read(second)).toMatchObject({ settlement: Settlement.REFUNDED })
    await deliver(third, stripe.pay(third.id))
    expect(await read(third)).toMatchObject({ settlement: Settlement.COMPLETED })
  })

  it('that arrives after the session has expired is refunded', async () => {
    const payment = await newPayment()
    const paid = stripe.pay(payment.id)
    checkout.cancel(payment.checkoutId)
    await deliver(payment, paid)
    expect(await read(payment)).toMatchObject({ settlement: Settlement.REFUNDED })
    const refunds = stripe.refunds().filter((one) => one.payment_intent === stripe.sessionOf(payment.id).payment_intent)
    expect(refunds).toMatchObject([{ amount: 2000 }])
  })

  it('whose webhook is lost is found by the task', async () => {
    const payment = await newPayment()
    stripe.pay(payment.id)
    orders.clock.advance(10 * 60_000 + 1)
    await expect.poll(() => read(payment)).toMatchObject({ settlement: Settlement.COMPLETED })
  })

  it('that is never decided is read for a month, and then canceled', async () => {
    const payment = await newPayment()
    orders.clock.advance(29 * day)
    const nextAt = async () => {
      const [row] = await orders.database.query<{ nextAt: Date | null }>(
        sql`select next_at as "nextAt" from payment where store_id = ${payment.storeId} and id = ${payment.id}`,
      )
      return row?.nextAt
    }
    await expect.poll(async () => (await nextAt())?.getTime()).toBeGreaterThan(orders.clock.now().getTime())
    expect(await read(payment)).toMatchObject({ status: Status.PENDING })
    orders.clock.advance(2 * day)
    await expect.poll(() => read(payment)).toMatchObject({ status: Status.CANCELED })
    expect(await nextAt()).toBeNull()
    // Money that arrives after all is returned.
    await deliver(payment, stripe.pay(payment.id))
    expect(await read(payment)).toMatchObject({ settlement: Settlement.REFUNDED })
  })

  it.each(['down', 'losesResponses'] as const)('is created once if Stripe fails meanwhile (%s)', async (how) => {
    const session = await newSession()
    stripe.outage = how
    expect(await faultOf(start(orders, session, Provider.STRIPE))).toMatchObject({ code: 'service-unavailable' })
    stripe.outage = 'none'
    const payment = await start(orders, session, Provider.STRIPE)
    const created = stripe.sessions().filter(({ metadata }) => metadata.storekeep_payment_id === payment.id)
    expect(created).toHaveLength(1)
  })
})

describe('a webhook', () => {
  it('with a wrong or missing signature, or for another store, changes nothing', async () => {
    const payment = await newPayment()
    const paid = stripe.pay(payment.id)
    const forged = { ...paid, body: Buffer.from(String(paid.body).replace('2000', '2001')) }
    expect(await faultOf(deliver(payment, forged))).toMatchObject({ code: 'bad-request' })
    expect(await faultOf(deliver(payment, { ...paid, headers: {} }))).toMatchObject({ code: 'bad-request' })
    const other = await newPayment()
    // The same secrets in another store: the payment is not found there, and the webhook is acknowledged.
    await deliver(other, paid)
    expect(await faultOf(deliver({ ...payment, storeId: randomId() }, paid))).toMatchObject({ code: 'not-found' })
    expect(await read(payment)).toMatchObject({ status: Status.PENDING })
  })
})

describe('the signature of a webhook', () => {
  it.each([-301, 301])(
    'is refused %i seconds from now, and accepted at 200 seconds on either side',
    async (seconds) => {
      const payment = await newPayment()
      stripe.pay(payment.id)
      const at = (offset: number) =>
        signed('checkout.session.completed', stripe.sessionOf(payment.id), {
          timestamp: Math.floor(Date.now() / 1000) + offset,
        })
      // The test may take a few seconds.
      const outside = seconds < 0 ? seconds : seconds + 60
      expect(await faultOf(deliver(payment, at(outside)))).toMatchObject({ code: 'bad-request' })
      expect(await read(payment)).toMatchObject({ status: Status.PENDING })
      await deliver(payment, at(seconds < 0 ? -200 : 200))
      expect(await read(payment)).toMatchObject({ status: Status.SUCCEEDED })
    },
  )
})

describe('an event of Stripe about a payment of another provider', () => {
  it('changes nothing: not its state, a dispute, or its refunds', async () => {
    const session = await newSession()
    const enabledProviders = { providers: [Provider.STRIPE, Provider.TEST] }
    await orders.client.updatePaymentSettings({ enabledProviders }, inStore(session.storeId))
    const stripePayment = await start(orders, session, Provider.STRIPE)
    const testPayment = await start(orders, session)
    const paid = stripe.pay(stripePayment.id)
    const named = { ...stripe.sessionOf(stripePayment.id), metadata: { storekeep_payment_id: testPayment.id } }
    await deliver(testPayment, signed('checkout.session.completed', named))
    expect(await read(testPayment)).toMatchObject({ status: Status.PENDING })
    expect(await orderOf(testPayment)).toBeUndefined()
    await deliver(stripePayment, paid)
    expect(await read(stripePayment)).toMatchObject({ settlement: Settlement.COMPLETED })
  })
})

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
    orders.clock.advance(5001)
    await expect.poll(() => orderOf(payment)).toMatchObject({ refundedAmount: 500n })
    const made = stripe.refunds().filter(({ metadata }) => metadata.storekeep_refund_id === refund?.id)
    expect(made).toHaveLength(1)
  })

  it('that Stripe rejects, or that fails later, does not count', async () => {
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

  it('of a payment without an order that Stripe always rejects is attempted less and less often', async () => {
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

  it('that takes time counts when Stripe reports that it succeeded', async () => {
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

  it('that is reported before the payment is reported again until there is an order', async () => {
    const payment = await newPayment()
    const paid = stripe.pay(payment.id)
    const { updated } = stripe.refundOnDashboard(payment.id, 2000)
    expect(await faultOf(deliver(payment, updated))).toMatchObject({ code: 'service-unavailable' })
    await deliver(payment, paid)
    await deliver(payment, updated)
    expect(await orderOf(payment)).toMatchObject({ status: OrderStatus.REFUNDED })
  })

  it('of a payment without an order counts, so that only the rest is refunded', async () => {
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

describe('a payment in a currency that Stripe counts in another unit', () => {
  it.each([
    ['isk', 200_000],
    ['ugx', 200_000],
    ['mga', 20],
  ])('in %s is charged, completed and refunded with its value', async (currency, charged) => {
    const payment = await start(orders, await newSession(currency), Provider.STRIPE)
    expect(stripe.sessionOf(payment.id)).toMatchObject({ currency, amount_total: charged })
    await deliver(payment, stripe.pay(payment.id))
    expect(await orderOf(payment)).toMatchObject({ currency, totalAmount: 2000n })
    await deliver(payment, stripe.refundOnDashboard(payment.id, charged / 2).updated)
    expect(await orderOf(payment)).toMatchObject({ refundedAmount: 1000n })
    const { id: orderId = '' } = (await orderOf(payment)) ?? {}
    await orders.orders.createRefund({ orderId }, inStore(payment.storeId))
    expect(await orderOf(payment)).toMatchObject({ status: OrderStatus.REFUNDED })
    const { payment_intent } = stripe.sessionOf(payment.id)
    const amounts = stripe.refunds().filter((one) => one.payment_intent === payment_intent)
    expect(amounts.map(({ amount }) => amount)).toEqual([charged / 2, charged / 2])
  })
})

describe('a dispute with Stripe', () => {
  it('charges the order back until it is won, whatever the order of the webhooks', async () => {
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

  it('that is reported before the payment creates the order as charged back', async () => {
    const payment = await newPayment()
    const paid = stripe.pay(payment.id)
    await deliver(payment, stripe.dispute(payment.id, 'needs_response'))
    await deliver(payment, paid)
    expect(await orderOf(payment)).toMatchObject({ status: OrderStatus.CHARGED_BACK })
    const types = (await eventsOf(orders, (await orderOf(payment))?.id ?? '')).map(({ type }) => type)
    expect(types).toContain('order.charged_back')
  })
})
