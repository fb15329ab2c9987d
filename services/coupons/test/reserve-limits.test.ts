import { randomId, retryUnavailable } from '@storekeep/common/testing'
import { describe, expect, it } from 'vitest'
import { createTestCoupon, inStore, useCoupons } from './harness.ts'
import {
  counts,
  countsOf,
  fillLedger,
  hourMs,
  newReservation,
  type Reservation,
  reserve,
  storeLimit,
} from './redemptions.ts'

const coupons = useCoupons()
const customerLimit = (amount: bigint) => ({ redeemLimitCustomerEnabled: true, redeemLimitCustomerAmount: amount })

describe('ReserveCoupon', () => {
  it('does not count the redemption that it replaces against the limits, but every other one', async () => {
    const options = inStore()
    const coupon = await createTestCoupon(coupons, options, { ...storeLimit(1n), ...customerLimit(1n) })
    const other = await createTestCoupon(coupons, options, storeLimit(1n))
    const first = newReservation(coupons, coupon)
    const { customerId, checkoutId: replacedCheckoutId } = first
    const again = (change: Partial<Reservation> = {}) =>
      reserve(coupons, options, coupon, { customerId, replacedCheckoutId, ...change })
    await coupons.redemptions.reserveCoupon(first, options)
    expect(await again()).toBe('RESERVED')
    expect(await countsOf(coupons.database, coupon.id)).toEqual(counts(2))
    // Now two count, of which it replaces one.
    expect(await again()).toBe('rejected: coupon-exhausted')
    // Replacing a redemption of another coupon, or a released one, does not free a place.
    expect(await reserve(coupons, options, other)).toBe('RESERVED')
    expect(await reserve(coupons, options, other, { customerId, replacedCheckoutId })).toBe(
      'rejected: coupon-exhausted',
    )
    await coupons.redemptions.releaseRedemption({ checkoutId: replacedCheckoutId }, options)
    expect(await again()).toBe('rejected: coupon-exhausted')
  })

  it('returns the same response for the same checkout when no more are left, and counts once', async () => {
    const options = inStore()
    const coupon = await createTestCoupon(coupons, options, storeLimit(1n))
    const reservation = newReservation(coupons, coupon)
    const once = () => coupons.redemptions.reserveCoupon(reservation, options)
    const first = await once()
    expect(await once()).toEqual(first)
    expect(await Promise.all(Array.from({ length: 8 }, once))).toEqual(Array(8).fill(first))
    expect(await countsOf(coupons.database, coupon.id)).toEqual(counts(1))
  })

  it('counts once when 8 calls for one checkout arrive at the same time', async () => {
    const options = inStore()
    const coupon = await createTestCoupon(coupons, options, storeLimit(1n))
    const reservation = newReservation(coupons, coupon)
    const calls = Array.from({ length: 8 }, () =>
      retryUnavailable(() => reserve(coupons, options, coupon, reservation)),
    )
    expect(await Promise.all(calls)).toEqual(Array(8).fill('RESERVED'))
    expect(await countsOf(coupons.database, coupon.id)).toEqual(counts(1))
  })

  it('enforces the limit of the store', async () => {
    const options = inStore()
    const coupon = await createTestCoupon(coupons, options, storeLimit(2n))
    for (const expected of ['RESERVED', 'RESERVED', 'rejected: coupon-exhausted']) {
      expect(await reserve(coupons, options, coupon)).toBe(expected)
    }
    expect(await countsOf(coupons.database, coupon.id)).toEqual(counts(2))
  })

  it('enforces the limit of each customer', async () => {
    const options = inStore()
    const coupon = await createTestCoupon(coupons, options, customerLimit(1n))
    const customerId = randomId()
    expect(await reserve(coupons, options, coupon, { customerId })).toBe('RESERVED')
    expect(await reserve(coupons, options, coupon, { customerId })).toBe('rejected: coupon-customer-limit')
    expect(await reserve(coupons, options, coupon)).toBe('RESERVED')
  })

  it('ignores limits that are not enabled', async () => {
    const options = inStore()
    const off = { redeemLimitStoreAmount: 1n, redeemLimitCustomerAmount: 1n }
    const coupon = await createTestCoupon(coupons, options, off)
    const customerId = randomId()
    for (let n = 0; n < 3; n += 1) expect(await reserve(coupons, options, coupon, { customerId })).toBe('RESERVED')
  })

  it('rejects while a limit is below the usage, and reserves again once it is raised', async () => {
    const options = inStore()
    const coupon = await createTestCoupon(coupons, options)
    const customerId = randomId()
    for (let n = 0; n < 3; n += 1) await reserve(coupons, options, coupon, { customerId })
    const limit = async (amount: bigint, kind: 'store' | 'customer') => {
      const change = kind === 'store' ? storeLimit(amount) : customerLimit(amount)
      const paths = [`redeem_limit_${kind}_enabled`, `redeem_limit_${kind}_amount`]
      await coupons.client.updateCoupon({ couponId: coupon.id, coupon: change, updateMask: { paths } }, options)
      return reserve(coupons, options, coupon, { customerId })
    }
    expect(await limit(2n, 'store')).toBe('rejected: coupon-exhausted')
    expect(await limit(4n, 'store')).toBe('RESERVED')
    expect(await limit(5n, 'store')).toBe('RESERVED')
    expect(await limit(2n, 'customer')).toBe('rejected: coupon-exhausted')
    expect(await limit(9n, 'store')).toBe('rejected: coupon-customer-limit')
    expect(await limit(6n, 'customer')).toBe('RESERVED')
    expect(await countsOf(coupons.database, coupon.id)).toEqual(counts(6))
  })

  it('replaces an expired reservation', async () => {
    const options = inStore()
    const coupon = await createTestCoupon(coupons, options, { ...storeLimit(2n), ...customerLimit(1n) })
    const customerId = randomId()
    expect(await reserve(coupons, options, coupon, { customerId })).toBe('RESERVED')
    expect(await reserve(coupons, options, coupon, { customerId })).toBe('rejected: coupon-customer-limit')
    coupons.clock.advance(hourMs)
    expect(await reserve(coupons, options, coupon, { customerId })).toBe('RESERVED')
    expect(await reserve(coupons, options, coupon)).toBe('RESERVED')
    expect(await reserve(coupons, options, coupon)).toBe('rejected: coupon-exhausted')
    expect(await countsOf(coupons.database, coupon.id)).toEqual(counts(2))
  })

  it('ends a bounded number of expired reservations to make room, also when it then rejects', async () => {
    const options = inStore()
    const coupon = await createTestCoupon(coupons, options, storeLimit(3000n))
    await fillLedger(coupons, coupon, 3000)
    expect(await reserve(coupons, options, coupon)).toBe('rejected: coupon-exhausted')
    coupons.clock.advance(hourMs)
    expect(await reserve(coupons, options, coupon)).toBe('RESERVED')
    expect(await countsOf(coupons.database, coupon.id)).toEqual(counts(2501))
    const update = {
      couponId: coupon.id,
      coupon: storeLimit(100n),
      updateMask: { paths: ['redeem_limit_store_amount'] },
    }
    await coupons.client.updateCoupon(update, options)
    expect(await reserve(coupons, options, coupon)).toBe('rejected: coupon-exhausted')
    expect(await countsOf(coupons.database, coupon.id)).toEqual(counts(2001))
  })

  it('replaces the expired reservation of a customer at the limit although others expired earlier', async () => {
    const options = inStore()
    const coupon = await createTestCoupon(coupons, options, customerLimit(1n))
    await fillLedger(coupons, coupon, 1000)
    coupons.clock.advance(hourMs / 2)
    const customerId = randomId()
    expect(await reserve(coupons, options, coupon, { customerId })).toBe('RESERVED')
    coupons.clock.advance(hourMs)
    expect(await reserve(coupons, options, coupon, { customerId })).toBe('RESERVED')
    expect(await countsOf(coupons.database, coupon.id)).toEqual(counts(1001))
  })
})
