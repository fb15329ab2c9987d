import { timestampDate } from '@bufbuild/protobuf/wkt'
import { eventsOf, faultOf, randomId, violationsOf } from '@storekeep/common/testing'
import { OrderStatus } from '@storekeep/proto/orders/v1/order'
import { PaymentProvider as Provider } from '@storekeep/proto/orders/v1/payment'
import { TestPaymentAction as Action } from '@storekeep/proto/orders/v1/payments_service'
import {
  CancellationReason as Reason,
  SubscriptionStatus as Status,
  type Subscription,
} from '@storekeep/proto/orders/v1/subscription'
import { describe, expect, it } from 'vitest'
import { act, addresses, asShopper, goLive, inStore, start, useOrders } from './harness.ts'

const orders = useOrders()
const { checkout } = orders
const day = 24 * 3_600_000

/** A subscription for 10.00 a month with the test provider. */
async function subscribe(fields: Parameters<typeof checkout.addSubscription>[1] = {}, terms: object = {}) {
  const session = checkout.addSubscription(fields.storeId ?? randomId(), fields, terms)
  const payment = await act(orders, await start(orders, session), Action.APPROVE)
  const options = inStore(session.storeId)
  const { order } = await orders.orders.getOrder({ orderId: payment.orderId ?? '' }, options)
  const subscriptionId = order?.subscriptionId ?? ''
  const portalSecret = orders.customers.signIn(session)
  const shopper = asShopper(session.storeId)
  const read = async () => {
    const { subscription } = await orders.subscriptions.getSubscription({ subscriptionId }, options)
    if (!subscription) throw new Error('GetSubscription returned no subscription')
    return subscription
  }
  return {
    id: subscriptionId,
    session,
    order,
    options,
    shopper,
    portalSecret,
    read,
    advance: async (seen?: Subscription, approve = true) => {
      const { currentPeriodEnd } = seen ?? (await read())
      const request = { portalSecret, subscriptionId, approve, ...(currentPeriodEnd && { currentPeriodEnd }) }
      return (await orders.subscriptions.advanceTestSubscription(request, shopper)).subscription
    },
    cancel: (now = false) => orders.subscriptions.cancelSubscription({ subscriptionId, now }, options),
    orders: async () =>
      (await orders.orders.listOrders({ subscriptionId, page: { asc: true, limit: 100 } }, options)).orders,
    events: async () => (await eventsOf(orders, subscriptionId)).map(({ type }) => type),
  }
}

const periodOf = ({ currentPeriodStart, currentPeriodEnd }: Subscription) =>
  [currentPeriodStart, currentPeriodEnd].map((time) => time && timestampDate(time).toISOString().slice(0, 10))

describe('a subscription', () => {
  it('starts with the first order of a session, without its one-time lines', async () => {
    const once = { name: 'Starter kit', quantity: 1, unitPrice: 500n, totalAmount: 500n }
    const monthly = { name: 'VIP', quantity: 2, unitPrice: 500n, totalAmount: 1000n, subscription: true }
    const amounts = { lines: [once, monthly], subtotalAmount: 1500n, totalAmount: 1500n }
    const { read, order, events, session } = await subscribe(amounts)
    expect(order).toMatchObject({ totalAmount: 1500n, lines: [once, monthly] })
    expect(await read()).toMatchObject({
      customerId: session.customerId,
      checkoutId: session.id,
      status: Status.ACTIVE,
      lines: [monthly],
      provider: Provider.TEST,
      paidPeriods: 1,
      renewalAmount: 1000n,
      cancelAtPeriodEnd: false,
    })
    expect(await events()).toEqual(['subscription.created'])
    const [start, end] = [order?.subscriptionPeriod?.start, order?.subscriptionPeriod?.end]
    expect(await read()).toMatchObject({ currentPeriodStart: start, currentPeriodEnd: end })
  })

  it('cannot be paid with a provider that cannot renew, even if the first period is free', async () => {
    const session = checkout.addSubscription(randomId(), { totalAmount: 0n, affiliateDiscountAmount: 1000n })
    const options = inStore(session.storeId)
    const providers = [Provider.MANUAL, Provider.TEST]
    await orders.client.updatePaymentSettings({ enabledProviders: { providers }, manualInstructions: 'x' }, options)
    const shopper = asShopper(session.storeId)
    expect((await orders.client.listPaymentMethods({ renewing: true }, shopper)).providers).toEqual([Provider.TEST])
    for (const provider of [Provider.MANUAL, Provider.UNSPECIFIED]) {
      const rejected = orders.client.startPayment({ token: session.token, provider, ...addresses }, shopper)
      expect(await violationsOf(rejected)).toEqual(['provider enum'])
    }
    const payment = await act(orders, await start(orders, session), Action.APPROVE)
    const { order } = await orders.orders.getOrder({ orderId: payment.orderId ?? '' }, options)
    expect(order).toMatchObject({ totalAmount: 0n, subscriptionId: expect.any(String) })
  })

  it('is continued by a new payment if its coupon has changed, even to the same total', async () => {
    const discounted = {
      name: 'VIP',
      quantity: 1,
      unitPrice: 1000n,
      discountAmount: 100n,
      totalAmount: 900n,
      subscription: true,
    }
    const amounts = { lines: [discounted], couponId: randomId(), couponDiscountAmount: 100n, totalAmount: 900n }
    const session = checkout.addSubscription(randomId(), amounts, { discountedPeriods: 1 })
    const first = await start(orders, session)
    expect((await start(orders, session)).id).toBe(first.id)
    Object.assign(session, { subscription: { ...session.subscription, discountedPeriods: 2 } })
    expect((await start(orders, session)).id).not.toBe(first.id)
  })
})

describe('a renewal', () => {
  it('is one order per period, however often it is repeated', async () => {
    const given = await subscribe({ customerDetails: { billingEmail: 'robin@example.com' } })
    const before = await given.read()
    const tries = await Promise.allSettled(Array.from({ length: 5 }, () => given.advance(before)))
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await faultOf(given.advance(before))).toMatchObject({ code: 'conflict' })
    const after = await given.read()
    expect(after).toMatchObject({ paidPeriods: 2, currentPeriodStart: before.currentPeriodEnd, status: Status.ACTIVE })
    const [first, second, ...others] = await given.orders()
    expect(others).toEqual([])
    expect(second).toMatchObject({
      number: 2n,
      status: OrderStatus.PAID,
      totalAmount: 1000n,
      checkoutId: first?.checkoutId ?? '',
      subscriptionPeriod: { start: after.currentPeriodStart, end: after.currentPeriodEnd },
      billingDetails: { billingEmail: 'robin@example.com' },
    })
    expect(await given.events()).toEqual(['subscription.created', 'subscription.renewed'])
    const state = await orders.client.getPaymentState({ token: given.session.token }, given.shopper)
    expect(state.order?.id).toBe(first?.id)
    expect((await orders.client.listPayments({ checkoutId: given.session.id }, given.options)).payments).toHaveLength(2)
  })

  it('is refunded and charged back like any order', async () => {
    const given = await subscribe()
    await given.advance()
    const renewal = (await given.orders()).at(-1)
    const orderId = renewal?.id ?? ''
    await orders.orders.createRefund({ orderId, amount: 400n }, given.options)
    expect((await given.orders()).at(-1)).toMatchObject({
      status: OrderStatus.PARTIALLY_REFUNDED,
      refundedAmount: 400n,
    })
    const payment = { id: renewal?.payment?.id ?? '', storeId: given.session.storeId }
    await act(orders, payment, Action.CHARGE_BACK)
    expect((await given.orders()).map(({ status }) => status)).toEqual([OrderStatus.PAID, OrderStatus.CHARGED_BACK])
    expect(await given.read()).toMatchObject({ status: Status.ACTIVE })
  })

  it('costs less while the coupon lasts', async () => {
    const discounted = {
      name: 'VIP',
      quantity: 1,
      unitPrice: 1000n,
      discountAmount: 100n,
      totalAmount: 900n,
      subscription: true,
    }
    const amounts = { lines: [discounted], couponId: randomId(), couponDiscountAmount: 100n, totalAmount: 900n }
    const given = await subscribe(amounts, { discountedPeriods: 2 })
    expect(await given.read()).toMatchObject({ renewalAmount: 900n })
    await given.advance()
    expect(await given.read()).toMatchObject({ renewalAmount: 1000n })
    await given.advance()
    const found = await given.orders()
    expect(found.map(({ totalAmount }) => totalAmount)).toEqual([900n, 900n, 1000n])
    expect(found.map(({ couponDiscountAmount }) => couponDiscountAmount)).toEqual([100n, 100n, 0n])
    expect(found[2]).toMatchObject({ lines: [{ discountAmount: 0n, totalAmount: 1000n }] })
  })

  it('a declined renewal leaves the subscription past due until a renewal is approved', async () => {
    const given = await subscribe()
    await given.advance(undefined, false)
    await given.advance(undefined, false)
    expect(await given.read()).toMatchObject({ status: Status.PAST_DUE, paidPeriods: 1 })
    await given.advance()
    expect(await given.read()).toMatchObject({ status: Status.ACTIVE, paidPeriods: 2 })
    expect(await given.events()).toEqual(['subscription.created', 'subscription.updated', 'subscription.renewed'])
  })

  it('is no longer possible once the store has gone live', async () => {
    const { advance, options, orders: allOrders } = await subscribe()
    await goLive(orders, options.storeId)
    expect(await faultOf(advance())).toMatchObject({ code: 'conflict', violations: [{ path: 'provider' }] })
    expect(await allOrders()).toHaveLength(1)
  })

  it('does not happen for a banned customer, and waits while that cannot be checked', async () => {
    const given = await subscribe({ customerDetails: { billingEmail: 'banned@example.com' } })
    checkout.outage = true
    const unchecked = await faultOf(given.advance())
    checkout.outage = false
    expect(unchecked).toMatchObject({ code: 'service-unavailable' })
    checkout.banned.add('banned@example.com')
    await given.advance()
    expect(await given.read()).toMatchObject({ status: Status.CANCELED, cancellationReason: Reason.BANNED })
    expect(await given.orders()).toHaveLength(1)
  })
})

describe('a cancellation', () => {
  it('ends the subscription with its period, once', async () => {
    const given = await subscribe()
    const { portalSecret } = given
    const cancel = () =>
      orders.subscriptions.cancelCustomerSubscription({ subscriptionId: given.id, portalSecret }, given.shopper)
    const { subscription } = await cancel()
    expect(subscription).toMatchObject({ status: Status.ACTIVE, cancelAtPeriodEnd: true })
    expect((await cancel()).subscription).toEqual(subscription)
    orders.clock.advance(32 * day)
    await expect.poll(given.read).toMatchObject({ status: Status.CANCELED, cancellationReason: Reason.REQUESTED })
    expect(await given.orders()).toHaveLength(1)
    expect(await given.events()).toEqual(['subscription.created', 'subscription.updated', 'subscription.canceled'])
    expect(await faultOf(given.advance())).toMatchObject({ code: 'conflict' })
  })

  it('ends it immediately if staff requests that, or if it is past due', async () => {
    const given = await subscribe()
    expect((await given.cancel(true)).subscription).toMatchObject({ status: Status.CANCELED })
    const late = await subscribe()
    await late.advance(undefined, false)
    expect((await late.cancel()).subscription).toMatchObject({ status: Status.CANCELED })
  })

  it('a cancellation at the end of the period takes precedence over the renewal', async () => {
    const given = await subscribe()
    await given.cancel()
    expect(await given.advance()).toMatchObject({ status: Status.CANCELED })
    expect(await given.orders()).toHaveLength(1)
  })
})

describe('subscriptions', () => {
  it('are listed by status and customer, in their store only', async () => {
    const { storeId, customerId } = { storeId: randomId(), customerId: randomId() }
    const [first, second] = [await subscribe({ storeId, customerId }), await subscribe({ storeId })]
    await second.cancel(true)
    const list = async (request: object) => {
      const { subscriptions } = await orders.subscriptions.listSubscriptions(request, inStore(storeId))
      return subscriptions.map(({ id }) => id)
    }
    expect(await list({})).toEqual([second.id, first.id])
    expect(await list({ status: Status.ACTIVE })).toEqual([first.id])
    expect(await list({ status: Status.CANCELED, customerId })).toEqual([])
    expect(await list({ page: { limit: 1, after: second.id } })).toEqual([first.id])
    const wrong = orders.subscriptions.listSubscriptions({ status: Status.UNSPECIFIED, customerId: 'x' }, first.options)
    expect(await violationsOf(wrong)).toEqual(['status enum', 'customer_id format'])
    const own = await orders.orders.listCustomerOrders({ portalSecret: first.portalSecret }, first.shopper)
    expect(own.subscriptions.map(({ id }) => id)).toEqual([first.id])
  })

  it('are not found in another store or by another customer', async () => {
    const { id: subscriptionId, shopper, session, portalSecret, read } = await subscribe()
    const elsewhere = orders.subscriptions.getSubscription({ subscriptionId }, inStore())
    expect(await faultOf(elsewhere)).toMatchObject({ code: 'not-found' })
    const foreign = { subscriptionId, portalSecret: orders.customers.signIn({ ...session, customerId: randomId() }) }
    const { currentPeriodEnd } = await read()
    for (const attempt of [
      () => orders.orders.listCustomerOrders(foreign, shopper),
      () => orders.subscriptions.getCustomerSubscription(foreign, shopper),
      () => orders.subscriptions.cancelCustomerSubscription(foreign, shopper),
      () => orders.subscriptions.startPaymentMethodUpdate({ ...foreign, ...addresses }, shopper),
      () =>
        orders.subscriptions.advanceTestSubscription(
          { ...foreign, ...(currentPeriodEnd && { currentPeriodEnd }) },
          shopper,
        ),
    ]) {
      expect(await faultOf(attempt())).toMatchObject({ code: 'not-found' })
    }
    const own = { subscriptionId, portalSecret, ...addresses }
    expect((await orders.subscriptions.startPaymentMethodUpdate(own, shopper)).redirectUrl).toBeUndefined()
  })

  it('keep the day of the month', async () => {
    orders.clock.advance(Date.UTC(2030, 0, 31, 12) - orders.clock.now().getTime())
    const given = await subscribe()
    const periods = [periodOf(await given.read())]
    for (let n = 0; n < 2; n += 1) periods.push(periodOf((await given.advance()) ?? (await given.read())))
    expect(periods).toEqual([
      ['2030-01-31', '2030-02-28'],
      ['2030-02-28', '2030-03-31'],
      ['2030-03-31', '2030-04-30'],
    ])
  })
})
