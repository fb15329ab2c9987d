import { randomId } from '@storekeep/common/testing'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { pruneAll } from '../src/redemptions/tasks/prune-redemptions.ts'
import { createTestCoupon, inStore, useCoupons } from './harness.ts'
import { hourMs, newReservation, reserve } from './redemptions.ts'

const coupons = useCoupons(async (env) => ({ ...env, SWEEP_INTERVAL_MS: '20' }))

describe('the ledger', () => {
  it('deletes ended redemptions after the last event of their checkout, and no others', async () => {
    const options = inStore()
    const coupon = await createTestCoupon(coupons, options)
    await coupons.redemptions.releaseRedemption({ checkoutId: randomId() }, options)
    coupons.clock.advance(24 * hourMs)
    const [confirmed, released] = [newReservation(coupons, coupon), newReservation(coupons, coupon)]
    for (const one of [confirmed, released]) await coupons.redemptions.reserveCoupon(one, options)
    await coupons.redemptions.confirmRedemption({ checkoutId: confirmed.checkoutId }, options)
    await coupons.redemptions.releaseRedemption({ checkoutId: released.checkoutId }, options)
    await coupons.redemptions.releaseRedemption({ checkoutId: randomId() }, options)
    await reserve(coupons, options, coupon)
    coupons.clock.advance(hourMs)
    const kept = ['confirmed', 'expired', 'released', 'released']
    await expect.poll(() => states(coupon.storeId)).toEqual([...kept, 'released'])

    coupons.clock.advance(34 * 24 * hourMs)
    await pruneAll(coupons)
    expect(await states(coupon.storeId)).toEqual(kept)
    const youngest = newReservation(coupons, coupon)
    await coupons.redemptions.reserveCoupon(youngest, options)
    await coupons.redemptions.releaseRedemption({ checkoutId: youngest.checkoutId }, options)

    coupons.clock.advance(24 * hourMs)
    await pruneAll(coupons)
    expect(await states(coupon.storeId)).toEqual(['confirmed', 'released'])
  })
})

async function states(storeId: string): Promise<string[]> {
  const rows = await coupons.database.query<{ state: string }>(sql`
    select state from redemption where store_id = ${storeId}`)
  return rows.map(({ state }) => state).sort()
}
