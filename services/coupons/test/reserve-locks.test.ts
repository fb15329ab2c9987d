import { setTimeout as pause } from 'node:timers/promises'
import { AmountType } from '@storekeep/proto/coupons/v1/affiliate_link'
import { AffiliateLinksService } from '@storekeep/proto/coupons/v1/affiliate_links_service'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { createTestLink } from './affiliate-link-harness.ts'
import { clientOf, createTestCoupon, inStore, useCoupons } from './harness.ts'
import { counts, countsOf, locksAwaited, newReservation, reserve, reserveOutcome } from './redemptions.ts'

const coupons = useCoupons()
const affiliateLinks = clientOf(coupons, AffiliateLinksService)

describe('ReserveCoupon', () => {
  it('decides against the version that a concurrent change leaves behind', async () => {
    const options = inStore()
    const coupon = await createTestCoupon(coupons, options)
    let reserving: Promise<string> = Promise.resolve('')
    await coupons.database.transaction(async (tx) => {
      await tx.query(sql`update coupon set enabled = false where store_id = ${coupon.storeId} and id = ${coupon.id}`)
      reserving = reserve(coupons, options, coupon)
      await expect.poll(() => locksAwaited(coupons)).toBeGreaterThan(0)
    })
    expect(await reserving).toBe('rejected: coupon-disabled')
  })

  it('does not apply an affiliate link that was disabled while it waited for the coupon', async () => {
    const options = inStore()
    const coupon = await createTestCoupon(coupons, options)
    const link = await createTestLink({ client: affiliateLinks() }, options)
    const order = { ...newReservation(coupons, coupon), promoCodes: [link.code] }
    let reserving: Promise<string> = Promise.resolve('')
    await coupons.database.transaction(async (tx) => {
      await tx.query(sql`select from coupon where store_id = ${coupon.storeId} and id = ${coupon.id} for update`)
      reserving = reserveOutcome(coupons.redemptions.reserveCoupon(order, options))
      await expect.poll(() => locksAwaited(coupons)).toBeGreaterThan(0)
      await tx.query(
        sql`update affiliate_link set enabled = false where store_id = ${link.storeId} and id = ${link.id}`,
      )
    })
    expect(await reserving).toBe('rejected: affiliate-disabled')
  })

  it('leaves connections for other work while many calls wait for one coupon', async () => {
    const [options, elsewhere] = [inStore(), inStore()]
    const [coupon, other] = [await createTestCoupon(coupons, options), await createTestCoupon(coupons, elsewhere)]
    let waiting: Promise<unknown> = Promise.resolve()
    await coupons.database.transaction(async (tx) => {
      await tx.query(sql`select from coupon where store_id = ${coupon.storeId} and id = ${coupon.id} for update`)
      const calls = Array.from({ length: 40 }, () => reserve(coupons, options, coupon).catch(() => 'unavailable'))
      waiting = Promise.all(calls)
      await expect.poll(() => locksAwaited(coupons)).toBeGreaterThan(0)
      let isOver = false
      let most = 0
      const watch = async () => {
        while (!isOver) most = Math.max(most, await locksAwaited(coupons))
      }
      const others = async () => {
        await createTestCoupon(coupons, options)
        expect(await reserve(coupons, elsewhere, other)).toBe('RESERVED')
      }
      const work = others().finally(() => {
        isOver = true
      })
      await Promise.all([work, watch()])
      expect(most).toBeLessThanOrEqual(coupons.config.database.connections.transactions / 4)
    })
    await waiting
    const { coupon: used, ...others } = await countsOf(coupons.database, coupon.id)
    expect(others).toEqual({ customers: used, ledger: used })
  })

  it('no longer waits for a coupon once the checkout has given up', async () => {
    const options = inStore()
    const coupon = await createTestCoupon(coupons, options)
    const checkout = new AbortController()
    let patient = Promise.resolve('not sent')
    await coupons.database.transaction(async (tx) => {
      await tx.query(sql`select from coupon where store_id = ${coupon.storeId} and id = ${coupon.id} for update`)
      patient = reserve(coupons, options, coupon).catch(() => 'unavailable')
      await expect.poll(() => locksAwaited(coupons)).toBe(1)
      const left = reserve(coupons, { ...options, signal: checkout.signal }, coupon).catch(() => 'unavailable')
      await expect.poll(() => locksAwaited(coupons)).toBe(2)
      checkout.abort()
      await left
      await expect.poll(() => locksAwaited(coupons), { interval: 5 }).toBe(1)
    })
    // Without the cancellation, only the time limit for locks would have ended the wait, first for this call.
    expect(await patient).toBe('RESERVED')
    expect(await countsOf(coupons.database, coupon.id)).toEqual(counts(1))
  })

  it('applies an affiliate code while every connection for locks waits for a coupon of the store', async () => {
    const options = inStore()
    const coupon = await createTestCoupon(coupons, options)
    const link = await createTestLink({ client: affiliateLinks() }, options, {
      discountType: AmountType.FIXED,
      discountAmount: 30n,
    })
    const { couponId: _, ...order } = newReservation(coupons, { id: '' })
    const discountOf = async (codes: { affiliateCode?: string; promoCodes?: string[] }) =>
      (await coupons.redemptions.reserveCoupon({ ...order, ...codes }, options)).affiliateLink?.discountAmount
    let isOver = false
    // Staggered, so that there is always a queue.
    const reserveAgain = async (_: unknown, index: number) => {
      for (await pause(index * 20); !isOver; ) await reserve(coupons, options, coupon).catch(() => 'unavailable')
    }
    let waiting: Promise<unknown> = Promise.resolve()
    await coupons.database.transaction(async (tx) => {
      await tx.query(sql`select from coupon where store_id = ${coupon.storeId} and id = ${coupon.id} for update`)
      waiting = Promise.all(Array.from({ length: 40 }, reserveAgain))
      try {
        await expect
          .poll(() => locksAwaited(coupons))
          .toBe(Math.floor(coupons.config.database.connections.transactions / 4))
        expect(await discountOf({ affiliateCode: link.code })).toBe(30n)
        expect(await discountOf({ promoCodes: [link.code] })).toBe(30n)
        expect(await discountOf({ affiliateCode: 'unknown' })).toBeUndefined()
        expect(await discountOf({ affiliateCode: coupon.code })).toBeUndefined()
      } finally {
        isOver = true
      }
    })
    await waiting
  })

  it('does not lock a coupon whose code is given as the affiliate code', async () => {
    const options = inStore()
    const coupon = await createTestCoupon(coupons, options)
    const hot = await createTestCoupon(coupons, options)
    const order = { ...newReservation(coupons, coupon), affiliateCode: hot.code }
    await coupons.database.transaction(async (tx) => {
      await tx.query(sql`select from coupon where store_id = ${hot.storeId} and id = ${hot.id} for update`)
      expect(await reserveOutcome(coupons.redemptions.reserveCoupon(order, options))).toBe('RESERVED')
    })
  })
})
