import { randomId, violationsOf } from '@storekeep/common/testing'
import { RedemptionState } from '@storekeep/proto/coupons/v1/redemption'
import { describe, expect, it } from 'vitest'
import { createTestCoupon, inStore, useCoupons } from './harness.ts'
import { counts, countsOf, hourMs, newReservation, outcomeOf, reserve, storeLimit } from './redemptions.ts'

const coupons = useCoupons()
const limitOf1 = storeLimit(1n)

async function reserved(options: ReturnType<typeof inStore>) {
  const coupon = await createTestCoupon(coupons, options, limitOf1)
  const reservation = newReservation(coupons, coupon)
  await coupons.redemptions.reserveCoupon(reservation, options)
  return { coupon, checkoutId: reservation.checkoutId }
}

const release = (checkoutId: string, options: ReturnType<typeof inStore>) =>
  coupons.redemptions.releaseRedemption({ checkoutId }, options)

describe('ReleaseRedemption', () => {
  it('releases a reservation', async () => {
    const options = inStore()
    const { coupon, checkoutId } = await reserved(options)
    expect((await release(checkoutId, options)).redemption).toMatchObject({
      checkoutId,
      couponId: coupon.id,
      state: RedemptionState.RELEASED,
    })
    expect(await countsOf(coupons.database, coupon.id)).toEqual(counts(0))
    expect(await reserve(coupons, options, coupon)).toBe('RESERVED')
  })

  it('releases a confirmed redemption', async () => {
    const options = inStore()
    const { coupon, checkoutId } = await reserved(options)
    await coupons.redemptions.confirmRedemption({ checkoutId }, options)
    await release(checkoutId, options)
    expect(await countsOf(coupons.database, coupon.id)).toEqual(counts(0))
  })

  it('releases once when repeated, even by 8 concurrent callers', async () => {
    const options = inStore()
    const { coupon, checkoutId } = await reserved(options)
    const responses = await Promise.all(Array.from({ length: 8 }, () => release(checkoutId, options)))
    expect(new Set(responses.map(({ redemption }) => redemption?.state))).toEqual(new Set([RedemptionState.RELEASED]))
    await release(checkoutId, options)
    expect(await countsOf(coupons.database, coupon.id)).toEqual(counts(0))
  })

  it('does not uncount an expired reservation twice, and ends it for good', async () => {
    const options = inStore()
    const { coupon, checkoutId } = await reserved(options)
    coupons.clock.advance(hourMs)
    const other = randomId()
    expect(await reserve(coupons, options, coupon, { checkoutId: other })).toBe('RESERVED')
    await release(checkoutId, options)
    expect(await countsOf(coupons.database, coupon.id)).toEqual(counts(1))
    await release(other, options)
    expect(await outcomeOf(coupons.redemptions.confirmRedemption({ checkoutId }, options))).toBe('rejected: RELEASED')
  })

  it('makes a later reservation fail', async () => {
    const options = inStore()
    const coupon = await createTestCoupon(coupons, options)
    const checkoutId = randomId()
    expect((await release(checkoutId, options)).redemption).toBeUndefined()
    expect((await release(checkoutId, options)).redemption).toBeUndefined()
    expect(await reserve(coupons, options, coupon, { checkoutId })).toBe('conflict')
    expect(await countsOf(coupons.database, coupon.id)).toEqual(counts(0))
  })

  it('leaves nothing reserved when it runs concurrently with the reservation, 50 times', async () => {
    const options = inStore()
    const coupon = await createTestCoupon(coupons, options)
    for (let round = 0; round < 50; round += 1) {
      const checkoutId = randomId()
      const [outcome] = await Promise.all([
        reserve(coupons, options, coupon, { checkoutId }),
        release(checkoutId, options),
      ])
      expect(['RESERVED', 'conflict']).toContain(outcome)
      expect(await outcomeOf(coupons.redemptions.confirmRedemption({ checkoutId }, options))).toBe('rejected: RELEASED')
    }
    expect(await countsOf(coupons.database, coupon.id)).toEqual(counts(0))
  })

  it('works for a deleted coupon', async () => {
    const options = inStore()
    const { coupon, checkoutId } = await reserved(options)
    await coupons.client.deleteCoupon({ couponId: coupon.id }, options)
    expect((await release(checkoutId, options)).redemption?.state).toBe(RedemptionState.RELEASED)
    expect(await countsOf(coupons.database, coupon.id)).toEqual({ coupon: null, customers: 0, ledger: 0 })
  })

  it('does not touch checkouts of another store', async () => {
    const options = inStore()
    const { coupon, checkoutId } = await reserved(options)
    expect((await release(checkoutId, inStore())).redemption).toBeUndefined()
    expect(await countsOf(coupons.database, coupon.id)).toEqual(counts(1))
  })

  it('rejects a malformed id', async () => {
    expect(await violationsOf(release('x', inStore()))).toEqual(['checkout_id format'])
  })
})
