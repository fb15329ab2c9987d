import { eventsOf, faultOf, randomId } from '@storekeep/common/testing'
import { OrderStatus } from '@storekeep/proto/orders/v1/order'
import {
  type Payment,
  PaymentProvider as Provider,
  PaymentSettlement as Settlement,
  PaymentStatus as Status,
} from '@storekeep/proto/orders/v1/payment'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { signed } from './fake-stripe.ts'
import { asShopper, inStore, start } from './harness.ts'
import { useStripePayments } from './stripe-harness.ts'

const { orders, stripe, newSession, newPayment, deliver, read, orderOf } = useStripePayments()
const { checkout } = orders
const day = 24 * 3_600_000

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

  it('a delayed method succeeds days later, even if the webhooks are reordered', async () => {
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

  it('a failed delayed method leaves the session open', async () => {
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

  it('a payment that arrives after the session has expired is refunded', async () => {
    const payment = await newPayment()
    const paid = stripe.pay(payment.id)
    checkout.cancel(payment.checkoutId)
    await deliver(payment, paid)
    expect(await read(payment)).toMatchObject({ settlement: Settlement.REFUNDED })
    const refunds = stripe.refunds().filter((one) => one.payment_intent === stripe.sessionOf(payment.id).payment_intent)
    expect(refunds).toMatchObject([{ amount: 2000 }])
  })

  it('a payment whose webhook is lost is found by the task', async () => {
    const payment = await newPayment()
    stripe.pay(payment.id)
    orders.clock.advance(10 * 60_000 + 1)
    await expect.poll(() => read(payment)).toMatchObject({ settlement: Settlement.COMPLETED })
  })

  it('an undecided payment is read for a month, and then canceled', async () => {
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
  it('a webhook with a wrong or missing signature, or for another store, changes nothing', async () => {
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
    'is rejected %i seconds from now, and accepted at 200 seconds on either side',
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
