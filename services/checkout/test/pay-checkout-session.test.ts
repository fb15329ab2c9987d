import { eventsOf, faultOf, internal, randomId, violationsOf } from '@storekeep/common/testing'
import { CheckoutSessionStatus as Status } from '@storekeep/proto/checkout/v1/checkout_session'
import { describe, expect, it } from 'vitest'
import { createTestSession, inline, inStore, newBuyer, useCheckouts } from './harness.ts'

const checkouts = useCheckouts()
const { coupons, bans } = checkouts.others
const day = 24 * 3_600_000

const of = (storeId: string) => internal({ storeId })
const payment = (fields = {}) => ({
  paymentId: randomId(),
  orderId: randomId(),
  amount: 1000n,
  currency: 'eur',
  ...fields,
})

describe('GetCheckoutByToken', () => {
  it('returns the session of a token without naming a store, and no other', async () => {
    const { options, customerId } = newBuyer(checkouts)
    const { token, session } = await checkouts.client.createCheckoutSession({ customerId, lines: [inline()] }, options)
    const found = await checkouts.client.getCheckoutByToken({ token }, internal())
    expect(found.session).toMatchObject({ id: session?.id, storeId: options.storeId, totalAmount: 1000n })
    const unknown = checkouts.client.getCheckoutByToken({ token: 'a'.repeat(28) }, internal())
    expect(await faultOf(unknown)).toMatchObject({ code: 'not-found' })
  })
})

describe('PreparePayment', () => {
  it('replaces the details of the customer, which no event contains', async () => {
    const { options, customerId } = newBuyer(checkouts)
    const { token, session } = await checkouts.client.createCheckoutSession({ customerId, lines: [inline()] }, options)
    const request = {
      session: { case: 'token' as const, value: token },
      customerDetails: { billingEmail: 'robin@example.com' },
    }
    const prepared = await checkouts.client.preparePayment(request, of(options.storeId))
    expect(prepared.session).toMatchObject({ customerDetails: { billingEmail: 'robin@example.com' }, version: 2n })
    // Repeating it changes nothing.
    expect(await checkouts.client.preparePayment(request, of(options.storeId))).toEqual(prepared)
    const events = await eventsOf(checkouts, session?.id ?? '')
    expect(events.map(({ type }) => type)).toEqual(['checkout_session.created', 'checkout_session.updated'])
    expect(JSON.stringify(events, (_, value) => (typeof value === 'bigint' ? String(value) : value))).not.toContain(
      'robin',
    )
    const wrong = { ...request, customerDetails: { billingEmail: 'x' } }
    const rejected = checkouts.client.preparePayment(wrong, of(options.storeId))
    expect(await violationsOf(rejected)).toEqual(['customer_details.billing_email format'])
  })

  it('rejects a customer who was banned after the session was created, and fails closed', async () => {
    const session = await createTestSession(checkouts)
    const byId = { session: { case: 'checkoutId' as const, value: session.id } }
    bans.outage = 'unavailable'
    const unchecked = await faultOf(checkouts.client.preparePayment(byId, of(session.storeId)))
    bans.outage = 'none'
    expect(unchecked).toMatchObject({ code: 'service-unavailable' })
    await checkouts.client.preparePayment(byId, of(session.storeId))
    bans.ban(`CUSTOMER ${session.customerId}`)
    const rejected = checkouts.client.preparePayment(byId, of(session.storeId))
    expect(await faultOf(rejected)).toMatchObject({ code: 'customer-banned' })
  })

  it('rejects sessions that have ended, and sessions of other stores', async () => {
    const { options, customerId } = newBuyer(checkouts)
    const { token } = await checkouts.client.createCheckoutSession({ customerId, lines: [inline()] }, options)
    const request = { session: { case: 'token' as const, value: token } }
    expect(await faultOf(checkouts.client.preparePayment(request, of(randomId())))).toMatchObject({ code: 'not-found' })
    checkouts.clock.advance(day)
    const late = checkouts.client.preparePayment(request, of(options.storeId))
    expect(await faultOf(late)).toMatchObject({ code: 'conflict' })
  })
})

describe('a payment', () => {
  it('completes a session once; another payment or another amount is rejected', async () => {
    const { id, storeId } = await createTestSession(checkouts)
    const first = payment()
    const complete = (one: object) =>
      checkouts.client.completeCheckoutSession({ checkoutId: id, payment: one }, of(storeId))
    for (const wrong of [payment({ amount: 999n }), payment({ currency: 'usd' })]) {
      expect(await faultOf(complete(wrong))).toMatchObject({ code: 'conflict' })
    }
    const { session } = await complete(first)
    const { paymentId, orderId } = first
    expect(session).toMatchObject({ status: Status.COMPLETED, paymentId, orderId, version: 2n })
    expect(await complete(first)).toMatchObject({ session })
    expect(await complete({ ...first, orderId: randomId() }), 'the order keeps its id').toMatchObject({ session })
    expect(await faultOf(complete(payment()))).toMatchObject({ code: 'conflict' })
    expect(await violationsOf(complete(payment({ paymentId: 'x', orderId: '', amount: -1n })))).toEqual([
      'payment.payment_id format',
      'payment.order_id format',
      'payment.amount min',
    ])
  })

  it('exactly one of 20 concurrent payments completes the session, and the others are rejected', async () => {
    const { id, storeId } = await createTestSession(checkouts)
    const tries = await Promise.allSettled(
      Array.from({ length: 20 }, () =>
        checkouts.client.completeCheckoutSession({ checkoutId: id, payment: payment() }, of(storeId)),
      ),
    )
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('a processing payment keeps the session and its coupon for 14 days', async () => {
    const couponId = coupons.add()
    const { id, storeId } = await createTestSession(checkouts, undefined, { couponId })
    const other = await createTestSession(checkouts)
    const extend = () => checkouts.client.extendCheckoutSession({ checkoutId: id }, of(storeId))
    const { session } = await extend()
    expect(await extend()).toMatchObject({ session })
    expect(coupons.reservationsOf(couponId)).toEqual({ reserved: 0, confirmed: 1, released: 0 })
    checkouts.clock.advance(13 * day)
    const late = checkouts.client.extendCheckoutSession({ checkoutId: other.id }, of(other.storeId))
    expect(await faultOf(late)).toMatchObject({ code: 'conflict' })
    const paid = { checkoutId: id, payment: payment({ amount: 900n }) }
    const completed = await checkouts.client.completeCheckoutSession(paid, of(storeId))
    expect(completed.session?.status).toBe(Status.COMPLETED)
    const read = await checkouts.client.getCheckoutSession({ checkoutId: id }, inStore(storeId))
    expect(read.session).toEqual(completed.session)
  })
})

describe('CheckBuyer', () => {
  it('finds bans by account and by email address, and fails closed', async () => {
    const { storeId, customerId } = await createTestSession(checkouts)
    const check = (fields = {}) => checkouts.client.checkBuyer({ customerId, ...fields }, of(storeId))
    expect(await check()).toMatchObject({ isBanned: false })
    expect(await check({ customerId: randomId() })).toMatchObject({ isBanned: false })
    bans.outage = 'unavailable'
    const unchecked = await faultOf(check())
    bans.outage = 'none'
    expect(unchecked).toMatchObject({ code: 'service-unavailable' })
    bans.ban('EMAIL robin@example.com')
    expect(await check({ billingEmail: 'robin@example.com' })).toMatchObject({ isBanned: true })
    bans.ban(`CUSTOMER ${customerId}`)
    expect(await check()).toMatchObject({ isBanned: true })
  })
})
