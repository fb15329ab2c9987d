import { randomId } from '@storekeep/common/testing'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { countedOutcomes } from '../src/redemptions/domain/outcome.ts'
import { createTestCoupon, inStore, useCoupons } from './harness.ts'
import { counts, countsOf, fillLedger, hourMs, newReservation, reserve } from './redemptions.ts'

const coupons = useCoupons(async (env) => ({ ...env, SWEEP_INTERVAL_MS: '20' }))

async function metrics(): Promise<string> {
  return (await fetch(`http://127.0.0.1:${coupons.running.metricsPort}/metrics`)).text()
}

async function outcomesCounted(): Promise<Record<string, number>> {
  const found = [...(await metrics()).matchAll(/^coupon_redemptions_total\{.*outcome="(\w+)".*\} (\d+)$/gm)]
  return Object.fromEntries(found.map(([, outcome = '', count]) => [outcome, Number(count)]))
}

async function overdueSeconds(): Promise<number> {
  return Number(/^coupon_reservation_overdue_seconds\{.*\} (\S+)$/m.exec(await metrics())?.[1])
}

describe('the sweep', () => {
  it('ends expired reservations and no others', async () => {
    const options = inStore()
    const coupon = await createTestCoupon(coupons, options)
    const confirmed = newReservation(coupons, coupon)
    await coupons.redemptions.reserveCoupon(confirmed, options)
    await coupons.redemptions.confirmRedemption({ checkoutId: confirmed.checkoutId }, options)
    for (let n = 0; n < 3; n += 1) await reserve(coupons, options, coupon)
    coupons.clock.advance(hourMs)
    await reserve(coupons, options, coupon)
    await expect.poll(() => countsOf(coupons.database, coupon.id)).toEqual(counts(2))
  })

  it('ends reservations of a deleted coupon', async () => {
    const options = inStore()
    const coupon = await createTestCoupon(coupons, options)
    await reserve(coupons, options, coupon)
    await coupons.client.deleteCoupon({ couponId: coupon.id }, options)
    coupons.clock.advance(hourMs)
    const nothing = { coupon: null, customers: 0, ledger: 0 }
    await expect.poll(() => countsOf(coupons.database, coupon.id)).toEqual(nothing)
  })

  it('ends many reservations of several coupons', async () => {
    const options = inStore()
    const [one, other] = [await createTestCoupon(coupons, options), await createTestCoupon(coupons, options)]
    for (const coupon of [one, other]) await fillLedger(coupons, coupon, 2500)
    expect(await countsOf(coupons.database, one.id)).toEqual(counts(2500))
    coupons.clock.advance(hourMs)
    for (const { id } of [one, other]) await expect.poll(() => countsOf(coupons.database, id)).toEqual(counts(0))
  })
})

describe('a locked coupon', () => {
  it('does not delay other coupons, and shows in the metric until it is swept', async () => {
    const options = inStore()
    const [held, free] = [await createTestCoupon(coupons, options), await createTestCoupon(coupons, options)]
    await reserve(coupons, options, held)
    coupons.clock.advance(hourMs / 2)
    await reserve(coupons, options, free)
    await coupons.database.transaction(async (tx) => {
      await tx.query(sql`select from coupon where store_id = ${held.storeId} and id = ${held.id} for update`)
      coupons.clock.advance(hourMs)
      await expect.poll(() => countsOf(coupons.database, free.id)).toEqual(counts(0))
      expect(await countsOf(coupons.database, held.id)).toEqual(counts(1))
      expect(await overdueSeconds()).toBeGreaterThanOrEqual(hourMs / 2 / 1000)
    })
    await expect.poll(() => countsOf(coupons.database, held.id)).toEqual(counts(0))
    expect(await overdueSeconds()).toBe(0)
  })
})

describe('the metric coupon_redemptions_total', () => {
  it('exports every outcome from the start', async () => {
    expect(Object.keys(await outcomesCounted()).sort()).toEqual([...countedOutcomes].sort())
  })

  it('counts each operation by its outcome', async () => {
    const options = inStore()
    const terms = { redeemLimitStoreEnabled: true, redeemLimitStoreAmount: 2n }
    const coupon = await createTestCoupon(coupons, options, terms)
    const before = await outcomesCounted()
    const [first, second] = [newReservation(coupons, coupon), newReservation(coupons, coupon)]
    for (const one of [first, first, second]) await coupons.redemptions.reserveCoupon(one, options)
    await reserve(coupons, options, coupon)
    await coupons.redemptions.confirmRedemption({ checkoutId: first.checkoutId }, options)
    await coupons.redemptions.confirmRedemption({ checkoutId: randomId() }, options)
    await coupons.redemptions.releaseRedemption({ checkoutId: first.checkoutId }, options)
    coupons.clock.advance(hourMs)
    await expect.poll(() => countsOf(coupons.database, coupon.id)).toEqual(counts(0))
    await coupons.redemptions.releaseRedemption({ checkoutId: second.checkoutId }, options)
    await coupons.redemptions.confirmRedemption({ checkoutId: second.checkoutId }, options)
    await coupons.redemptions.releaseRedemption({ checkoutId: randomId() }, options)
    const expected: Record<string, number> = {
      reserved: 2,
      repeated: 1,
      confirmed: 1,
      released: 1,
      closed: 2,
      expired: 1,
      rejected_exhausted: 1,
      rejected_unknown: 1,
      rejected_released: 1,
    }
    const increase = async () => {
      const after = await outcomesCounted()
      return Object.fromEntries(Object.keys(expected).map((name) => [name, (after[name] ?? 0) - (before[name] ?? 0)]))
    }
    await expect.poll(increase).toEqual(expected)
  })
})
