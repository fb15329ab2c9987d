import { randomId, violationsOf } from '@storekeep/common/testing'
import { RedemptionState } from '@storekeep/proto/coupons/v1/coupon'
import { describe, expect, it } from 'vitest'
import { createTestCoupon, inStore, useCoupons } from './harness.ts'
import { counts, countsOf, hourMs, newReservation, outcomeOf, reserve } from './redemptions.ts'

const coupons = useCoupons()
const limitOf1 = { redeemLimitStoreEnabled: true, redeemLimitStoreAmount: 1n }

async function reserved(options: ReturnType<typeof inStore>) {
  const coupon = await createTestCoupon(coupons, options, limitOf1)
  const reservation = newReservation(coupons, coupon)
  await coupons.client.reserveRedemption(reservation, options)
  return { coupon, checkoutId: reservation.checkoutId }
}

const release = (checkoutId: string, options: ReturnType<typeof inStore>) =>
  coupons.client.releaseRedemption({ checkoutId }, options)

describe('ReleaseRedemption', () => {
  it('gives the place of a reservation back', async () => {
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

  it('gives a confirmed place back too', async () => {
    const options = inStore()
    const { coupon, checkoutId } = await reserved(options)
    await coupons.client.confirmRedemption({ checkoutId }, options)
    await release(checkoutId, options)
    expect(await countsOf(coupons.database, coupon.id)).toEqual(counts(0))
  })

  it('gives it back once when it is repeated, also by 8 callers at once', async () => {
    const options = inStore()
    const { coupon, checkoutId } = await reserved(options)
    const answers = await Promise.all(Array.from({ length: 8 }, () => release(checkoutId, options)))
    expect(new Set(answers.map(({ redemption }) => redemption?.state))).toEqual(new Set([RedemptionState.RELEASED]))
    await release(checkoutId, options)
    expect(await countsOf(coupons.database, coupon.id)).toEqual(counts(0))
  })

  it('does not give back twice what has expired, and ends it for good', async () => {
    const options = inStore()
    const { coupon, checkoutId } = await reserved(options)
    coupons.clock.advance(hourMs)
    const other = randomId()
    expect(await reserve(coupons, options, coupon, { checkoutId: other })).toBe('RESERVED')
    await release(checkoutId, options)
    expect(await countsOf(coupons.database, coupon.id)).toEqual(counts(1))
    await release(other, options)
    expect(await outcomeOf(coupons.client.confirmRedemption({ checkoutId }, options))).toBe('refused: RELEASED')
  })

  it('before the reservation has the reservation refused', async () => {
    const options = inStore()
    const coupon = await createTestCoupon(coupons, options)
    const checkoutId = randomId()
    expect((await release(checkoutId, options)).redemption).toBeUndefined()
    expect((await release(checkoutId, options)).redemption).toBeUndefined()
    expect(await reserve(coupons, options, coupon, { checkoutId })).toBe('refused: RELEASED')
    expect(await countsOf(coupons.database, coupon.id)).toEqual(counts(0))
  })

  it('at the same time as the reservation leaves no place taken, 50 times', async () => {
    const options = inStore()
    const coupon = await createTestCoupon(coupons, options)
    for (let round = 0; round < 50; round += 1) {
      const checkoutId = randomId()
      const [outcome] = await Promise.all([
        reserve(coupons, options, coupon, { checkoutId }),
        release(checkoutId, options),
      ])
      expect(['RESERVED', 'refused: RELEASED']).toContain(outcome)
      expect(await outcomeOf(coupons.client.confirmRedemption({ checkoutId }, options))).toBe('refused: RELEASED')
    }
    expect(await countsOf(coupons.database, coupon.id)).toEqual(counts(0))
  })

  it('works for a coupon that is gone', async () => {
    const options = inStore()
    const { coupon, checkoutId } = await reserved(options)
    await coupons.client.deleteCoupon({ couponId: coupon.id }, options)
    expect((await release(checkoutId, options)).redemption?.state).toBe(RedemptionState.RELEASED)
    expect(await countsOf(coupons.database, coupon.id)).toEqual({ coupon: null, customers: 0, ledger: 0 })
  })

  it('touches no checkout of another store', async () => {
    const options = inStore()
    const { coupon, checkoutId } = await reserved(options)
    expect((await release(checkoutId, inStore())).redemption).toBeUndefined()
    expect(await countsOf(coupons.database, coupon.id)).toEqual(counts(1))
  })

  it('refuses what is no id', async () => {
    expect(await violationsOf(release('x', inStore()))).toEqual(['checkout_id format'])
  })
})
