import { randomId, violationsOf, withKey } from '@storekeep/common/testing'
import { describe, expect, it } from 'vitest'
import { createTestCoupon, inStore, useCoupons } from './harness.ts'
import { counts, countsOf, hourMs, newReservation, outcomeOf, reserve } from './redemptions.ts'

const coupons = useCoupons()
const limitOf1 = { redeemLimitStoreEnabled: true, redeemLimitStoreAmount: 1n }

async function reserved(options: ReturnType<typeof inStore>, terms = {}) {
  const coupon = await createTestCoupon(coupons, options, terms)
  const reservation = newReservation(coupons, coupon)
  await coupons.client.reserveRedemption(reservation, options)
  return { coupon, customerId: reservation.customerId, checkoutId: reservation.checkoutId }
}

const confirm = (checkoutId: string, options: ReturnType<typeof inStore>) =>
  outcomeOf(coupons.client.confirmRedemption({ checkoutId }, options))

describe('ConfirmRedemption', () => {
  it('makes a reservation final: it counts, and expires no more', async () => {
    const options = inStore()
    const { coupon, checkoutId } = await reserved(options, limitOf1)
    expect(await confirm(checkoutId, options)).toBe('CONFIRMED')
    coupons.clock.advance(2 * hourMs)
    expect(await reserve(coupons, options, coupon)).toBe('refused: EXHAUSTED')
    expect(await countsOf(coupons.database, coupon.id)).toEqual(counts(1))
  })

  it('answers the same again, also to 8 callers at once', async () => {
    const options = inStore()
    const { coupon, checkoutId } = await reserved(options)
    const calls = Array.from({ length: 8 }, () => coupons.client.confirmRedemption({ checkoutId }, options))
    const [first, ...others] = await Promise.all(calls)
    expect(others).toEqual(Array(7).fill(first))
    expect(await countsOf(coupons.database, coupon.id)).toEqual(counts(1))
  })

  it('confirms a reservation whose time is over while nobody needs its place', async () => {
    const options = inStore()
    const { coupon, checkoutId } = await reserved(options, limitOf1)
    coupons.clock.advance(hourMs)
    expect(await confirm(checkoutId, options)).toBe('CONFIRMED')
    expect(await countsOf(coupons.database, coupon.id)).toEqual(counts(1))
  })

  it('takes a place again for a reservation that lost its own, if there is one', async () => {
    const options = inStore()
    const { coupon, checkoutId } = await reserved(options, limitOf1)
    coupons.clock.advance(hourMs)
    const other = randomId()
    expect(await reserve(coupons, options, coupon, { checkoutId: other })).toBe('RESERVED')
    expect(await confirm(checkoutId, options)).toBe('refused: EXHAUSTED')
    expect(await countsOf(coupons.database, coupon.id)).toEqual(counts(1))
    await coupons.client.releaseRedemption({ checkoutId: other }, options)
    expect(await confirm(checkoutId, options)).toBe('CONFIRMED')
    expect(await countsOf(coupons.database, coupon.id)).toEqual(counts(1))
  })

  it('holds the limit of the customer too when a place is taken again', async () => {
    const options = inStore()
    const terms = { redeemLimitCustomerEnabled: true, redeemLimitCustomerAmount: 1n }
    const { coupon, checkoutId, customerId } = await reserved(options, terms)
    coupons.clock.advance(hourMs)
    expect(await reserve(coupons, options, coupon, { customerId })).toBe('RESERVED')
    expect(await confirm(checkoutId, options)).toBe('refused: CUSTOMER_LIMIT')
  })

  it('confirms under terms that have changed since', async () => {
    const options = inStore()
    const { coupon, checkoutId } = await reserved(options)
    const off = { couponId: coupon.id, coupon: { enabled: false }, updateMask: { paths: ['enabled'] } }
    await coupons.client.updateCoupon(off, options)
    expect(await confirm(checkoutId, options)).toBe('CONFIRMED')
  })

  it('confirms what was reserved before the coupon was deleted, and takes no place of a deleted one', async () => {
    const options = inStore()
    const { coupon, checkoutId: lost } = await reserved(options, limitOf1)
    coupons.clock.advance(hourMs)
    const checkoutId = randomId()
    await reserve(coupons, options, coupon, { checkoutId })
    await coupons.client.deleteCoupon({ couponId: coupon.id }, options)
    expect(await confirm(checkoutId, options)).toBe('CONFIRMED')
    expect(await confirm(lost, options)).toBe('refused: CHANGED')
    expect(await countsOf(coupons.database, coupon.id)).toEqual({ coupon: null, customers: 1, ledger: 1 })
  })

  it('refuses a checkout that has given its place back, or never had one', async () => {
    const options = inStore()
    const { checkoutId } = await reserved(options)
    await coupons.client.releaseRedemption({ checkoutId }, options)
    expect(await confirm(checkoutId, options)).toBe('refused: RELEASED')
    const early = randomId()
    await coupons.client.releaseRedemption({ checkoutId: early }, options)
    expect(await confirm(early, options)).toBe('refused: RELEASED')
    expect(await confirm(randomId(), options)).toBe('refused: UNKNOWN')
  })

  it('knows no checkout of another store', async () => {
    const options = inStore()
    const { checkoutId } = await reserved(options)
    expect(await confirm(checkoutId, inStore())).toBe('refused: UNKNOWN')
  })

  it('keeps its answer for an Idempotency-Key', async () => {
    const options = inStore()
    const { checkoutId } = await reserved(options)
    const keyed = withKey(options)
    expect(await confirm(checkoutId, keyed)).toBe('CONFIRMED')
    await coupons.client.releaseRedemption({ checkoutId }, options)
    expect(await confirm(checkoutId, keyed)).toBe('CONFIRMED')
    expect(await confirm(checkoutId, options)).toBe('refused: RELEASED')
  })

  it('refuses what is no id', async () => {
    expect(await violationsOf(confirm('x', inStore()))).toEqual(['checkout_id format'])
  })
})
