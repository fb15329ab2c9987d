import { randomId, violationsOf, withKey } from '@storekeep/common/testing'
import { describe, expect, it } from 'vitest'
import { createTestCoupon, inStore, useCoupons } from './harness.ts'
import { counts, countsOf, hourMs, newReservation, outcomeOf, reserve, storeLimit } from './redemptions.ts'

const coupons = useCoupons()
const limitOf1 = storeLimit(1n)

async function reserved(options: ReturnType<typeof inStore>, terms = {}) {
  const coupon = await createTestCoupon(coupons, options, terms)
  const reservation = newReservation(coupons, coupon)
  await coupons.redemptions.reserveCoupon(reservation, options)
  return { coupon, customerId: reservation.customerId, checkoutId: reservation.checkoutId }
}

const confirm = (checkoutId: string, options: ReturnType<typeof inStore>) =>
  outcomeOf(coupons.redemptions.confirmRedemption({ checkoutId }, options))

describe('ConfirmRedemption', () => {
  it('makes a reservation final: it counts and no longer expires', async () => {
    const options = inStore()
    const { coupon, checkoutId } = await reserved(options, limitOf1)
    expect(await confirm(checkoutId, options)).toBe('CONFIRMED')
    coupons.clock.advance(2 * hourMs)
    expect(await reserve(coupons, options, coupon)).toBe('rejected: coupon-exhausted')
    expect(await countsOf(coupons.database, coupon.id)).toEqual(counts(1))
  })

  it('returns the same response when repeated, even by 8 concurrent callers', async () => {
    const options = inStore()
    const { coupon, checkoutId } = await reserved(options)
    const calls = Array.from({ length: 8 }, () => coupons.redemptions.confirmRedemption({ checkoutId }, options))
    const [first, ...others] = await Promise.all(calls)
    expect(others).toEqual(Array(7).fill(first))
    expect(await countsOf(coupons.database, coupon.id)).toEqual(counts(1))
  })

  it('confirms an expired reservation that no other checkout has replaced', async () => {
    const options = inStore()
    const { coupon, checkoutId } = await reserved(options, limitOf1)
    coupons.clock.advance(hourMs)
    expect(await confirm(checkoutId, options)).toBe('CONFIRMED')
    expect(await countsOf(coupons.database, coupon.id)).toEqual(counts(1))
  })

  it('reserves again for an expired reservation if the limit allows it', async () => {
    const options = inStore()
    const { coupon, checkoutId } = await reserved(options, limitOf1)
    coupons.clock.advance(hourMs)
    const other = randomId()
    expect(await reserve(coupons, options, coupon, { checkoutId: other })).toBe('RESERVED')
    expect(await confirm(checkoutId, options)).toBe('rejected: EXHAUSTED')
    expect(await countsOf(coupons.database, coupon.id)).toEqual(counts(1))
    await coupons.redemptions.releaseRedemption({ checkoutId: other }, options)
    expect(await confirm(checkoutId, options)).toBe('CONFIRMED')
    expect(await countsOf(coupons.database, coupon.id)).toEqual(counts(1))
  })

  it('enforces the limit of the customer when it reserves again', async () => {
    const options = inStore()
    const terms = { redeemLimitCustomerEnabled: true, redeemLimitCustomerAmount: 1n }
    const { coupon, checkoutId, customerId } = await reserved(options, terms)
    coupons.clock.advance(hourMs)
    expect(await reserve(coupons, options, coupon, { customerId })).toBe('RESERVED')
    expect(await confirm(checkoutId, options)).toBe('rejected: CUSTOMER_LIMIT')
  })

  it('confirms although the terms of the coupon have changed', async () => {
    const options = inStore()
    const { coupon, checkoutId } = await reserved(options)
    const off = { couponId: coupon.id, coupon: { enabled: false }, updateMask: { paths: ['enabled'] } }
    await coupons.client.updateCoupon(off, options)
    expect(await confirm(checkoutId, options)).toBe('CONFIRMED')
  })

  it('confirms a reservation of a deleted coupon, but does not reserve it again', async () => {
    const options = inStore()
    const { coupon, checkoutId: lost } = await reserved(options, limitOf1)
    coupons.clock.advance(hourMs)
    const checkoutId = randomId()
    await reserve(coupons, options, coupon, { checkoutId })
    await coupons.client.deleteCoupon({ couponId: coupon.id }, options)
    expect(await confirm(checkoutId, options)).toBe('CONFIRMED')
    expect(await confirm(lost, options)).toBe('rejected: COUPON_DELETED')
    expect(await countsOf(coupons.database, coupon.id)).toEqual({ coupon: null, customers: 1, ledger: 1 })
  })

  it('rejects a checkout that has released its reservation or never had one', async () => {
    const options = inStore()
    const { checkoutId } = await reserved(options)
    await coupons.redemptions.releaseRedemption({ checkoutId }, options)
    expect(await confirm(checkoutId, options)).toBe('rejected: RELEASED')
    const early = randomId()
    await coupons.redemptions.releaseRedemption({ checkoutId: early }, options)
    expect(await confirm(early, options)).toBe('rejected: RELEASED')
    expect(await confirm(randomId(), options)).toBe('rejected: UNKNOWN')
  })

  it('does not find checkouts of another store', async () => {
    const options = inStore()
    const { checkoutId } = await reserved(options)
    expect(await confirm(checkoutId, inStore())).toBe('rejected: UNKNOWN')
  })

  it('stores its response for an Idempotency-Key', async () => {
    const options = inStore()
    const { checkoutId } = await reserved(options)
    const keyed = withKey(options)
    expect(await confirm(checkoutId, keyed)).toBe('CONFIRMED')
    await coupons.redemptions.releaseRedemption({ checkoutId }, options)
    expect(await confirm(checkoutId, keyed)).toBe('CONFIRMED')
    expect(await confirm(checkoutId, options)).toBe('rejected: RELEASED')
  })

  it('rejects a malformed id', async () => {
    expect(await violationsOf(confirm('x', inStore()))).toEqual(['checkout_id format'])
  })
})
