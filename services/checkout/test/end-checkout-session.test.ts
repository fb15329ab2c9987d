import { eventsOf, faultOf, operator, randomId, violationsOf, withKey } from '@storekeep/common/testing'
import { CheckoutSessionStatus as Status } from '@storekeep/proto/checkout/v1/checkout_session'
import { describe, expect, it } from 'vitest'
import { createTestSession, inStore, useCheckouts } from './harness.ts'

const checkouts = useCheckouts()
const { coupons } = checkouts.others

type End = 'Complete' | 'Cancel'
const ends: End[] = ['Complete', 'Cancel']

function end(how: End, checkoutId: string, storeId: string) {
  const options = { ...operator(), storeId }
  return how === 'Complete'
    ? checkouts.client.completeCheckoutSession({ checkoutId }, options)
    : checkouts.client.cancelCheckoutSession({ checkoutId }, options)
}

const eventTypes = async (id: string) => (await eventsOf(checkouts, id)).map(({ type }) => type)

describe.each([
  ['Complete', Status.COMPLETED, 'completedAt', 'completed'],
  ['Cancel', Status.CANCELED, 'canceledAt', 'canceled'],
] as const)('%sCheckoutSession', (how, status, time, verb) => {
  it('ends an open session once', async () => {
    const session = await createTestSession(checkouts)
    const { session: ended } = await end(how, session.id, session.storeId)
    expect(ended).toMatchObject({ ...session, status, version: 2n, [time]: expect.anything() })
    expect(await end(how, session.id, session.storeId)).toMatchObject({ session: ended })
    const [, event, ...others] = await eventsOf(checkouts, session.id)
    expect(event).toMatchObject({ type: `checkout_session.${verb}`, version: '2', message: { session: ended } })
    expect(others).toEqual([])
    const read = await checkouts.client.getCheckoutSession({ checkoutId: session.id }, inStore(session.storeId))
    expect(read.session).toEqual(ended)
  })

  it('rejects a session that has ended differently or has expired', async () => {
    const session = await createTestSession(checkouts)
    await end(how === 'Complete' ? 'Cancel' : 'Complete', session.id, session.storeId)
    expect(await faultOf(end(how, session.id, session.storeId))).toMatchObject({ code: 'conflict' })
    const late = await createTestSession(checkouts)
    checkouts.clock.advance(24 * 3_600_000)
    expect(await faultOf(end(how, late.id, late.storeId))).toMatchObject({ code: 'conflict' })
  })

  it('does not find sessions of other stores', async () => {
    const { id, storeId } = await createTestSession(checkouts)
    expect(await faultOf(end(how, id, randomId()))).toMatchObject({ code: 'not-found' })
    expect(await violationsOf(end(how, 'x', storeId))).toEqual(['checkout_id format'])
    expect(await eventTypes(id)).toEqual(['checkout_session.created'])
  })
})

describe('the reservation of a coupon', () => {
  it('is confirmed before the session completes', async () => {
    const couponId = coupons.add()
    const session = await createTestSession(checkouts, undefined, { couponId })
    coupons.outage = 'unavailable'
    const fault = await faultOf(end('Complete', session.id, session.storeId))
    coupons.outage = 'none'
    expect(fault).toMatchObject({ code: 'service-unavailable' })
    expect(await eventTypes(session.id)).toEqual(['checkout_session.created'])
    await end('Complete', session.id, session.storeId)
    await end('Complete', session.id, session.storeId)
    expect(coupons.reservationsOf(couponId)).toEqual({ reserved: 0, confirmed: 1, released: 0 })
  })

  it('a missing reservation prevents the session from completing', async () => {
    const couponId = coupons.add()
    const session = await createTestSession(checkouts, undefined, { couponId })
    coupons.forget(session.id)
    expect(await faultOf(end('Complete', session.id, session.storeId))).toMatchObject({ code: 'conflict' })
    expect(await eventTypes(session.id)).toEqual(['checkout_session.created'])
  })

  it('a reservation released by a concurrent cancel is not reported as the reason for the conflict', async () => {
    const couponId = coupons.add()
    const session = await createTestSession(checkouts, undefined, { couponId })
    coupons.beforeConfirm = async () => {
      await end('Cancel', session.id, session.storeId)
      coupons.forget(session.id)
    }
    const fault = await faultOf(end('Complete', session.id, session.storeId))
    coupons.beforeConfirm = async () => {}
    expect(fault).toMatchObject({ code: 'conflict', message: 'The checkout session is canceled.' })
  })

  it('is not needed to cancel', async () => {
    const couponId = coupons.add()
    const session = await createTestSession(checkouts, undefined, { couponId })
    coupons.outage = 'unavailable'
    const ended = await end('Cancel', session.id, session.storeId)
    coupons.outage = 'none'
    expect(ended.session?.status).toBe(Status.CANCELED)
  })
})

describe('an open session', () => {
  it('ends one way when 20 callers end it concurrently', async () => {
    const { id, storeId } = await createTestSession(checkouts)
    const tries = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) => end(ends[index % 2] ?? 'Cancel', id, storeId)),
    )
    const statuses = new Set(tries.map((one) => (one.status === 'fulfilled' ? one.value.session?.status : 'rejected')))
    expect(statuses.size).toBe(2)
    expect(await eventTypes(id)).toHaveLength(2)
  })

  it('is ended once by calls with the same Idempotency-Key', async () => {
    const { id, storeId } = await createTestSession(checkouts)
    const options = withKey({ ...operator(), storeId })
    const first = await checkouts.client.cancelCheckoutSession({ checkoutId: id }, options)
    expect(await checkouts.client.cancelCheckoutSession({ checkoutId: id }, options)).toEqual(first)
  })
})
