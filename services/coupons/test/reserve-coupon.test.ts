import { setTimeout as pause } from 'node:timers/promises'
import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt'
import { randomId, retryUnavailable, violationsOf } from '@storekeep/common/testing'
import { AmountType } from '@storekeep/proto/coupons/v1/affiliate_link'
import { AffiliateLinksService } from '@storekeep/proto/coupons/v1/affiliate_links_service'
import { CouponDuration } from '@storekeep/proto/coupons/v1/coupon'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { newAffiliateLink } from './affiliate-link-harness.ts'
import { clientOf, createTestCoupon, inStore, useCoupons } from './harness.ts'
import {
  counts,
  countsOf,
  fillLedger,
  hourMs,
  newReservation,
  type Reservation,
  reserve,
  reserveOutcome,
} from './redemptions.ts'

const coupons = useCoupons()
const affiliateLinks = clientOf(coupons, AffiliateLinksService)
const storeLimit = (amount: bigint) => ({ redeemLimitStoreEnabled: true, redeemLimitStoreAmount: amount })
const customerLimit = (amount: bigint) => ({ redeemLimitCustomerEnabled: true, redeemLimitCustomerAmount: amount })

async function createTestLink(options: ReturnType<typeof inStore>, terms: Parameters<typeof newAffiliateLink>[0]) {
  const affiliateLink = newAffiliateLink(terms)
  const created = await affiliateLinks().createAffiliateLink({ affiliateLink }, options)
  return { ...affiliateLink, id: created.affiliateLink?.id ?? '' }
}

async function redemptionsOf(checkoutId: string) {
  return await coupons.database.query(sql`
    select store_id as "storeId", coupon_id as "couponId", coupon_version_id as "couponVersionId",
      customer_id as "customerId", state, expires_at as "expiresAt"
    from redemption where checkout_id = ${checkoutId}`)
}

/** Transactions of the service that wait for a lock. */
async function locksAwaited(): Promise<number> {
  const [row] = await coupons.database.query<{ count: number }>(sql`
    select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
  return row?.count ?? 0
}

describe('ReserveCoupon', () => {
  it('reserves the coupon and returns the discount of each line', async () => {
    const options = inStore()
    const repeating = { duration: CouponDuration.REPEATING, durationInMonths: 3 }
    const { id, versionId } = await createTestCoupon(coupons, options, repeating)
    const lines = [
      { quantity: 1, amount: 1000n },
      { quantity: 3, amount: 25n },
      { amount: 50n, isCouponsDisabled: true },
    ]
    const reservation = newReservation(coupons, { id })
    const { checkoutId, customerId } = reservation
    const response = await coupons.redemptions.reserveCoupon({ ...reservation, lines }, options)
    expect(response.coupon).toMatchObject({ couponId: id, couponVersionId: versionId, lineDiscounts: [100n, 3n, 0n] })
    expect(response.coupon).toMatchObject(repeating)
    expect(response.affiliateLink).toBeUndefined()
    const expiresAt = timestampDate(reservation.expiresAt)
    const ids = { storeId: options.storeId, couponId: id, couponVersionId: versionId, customerId }
    expect(await redemptionsOf(checkoutId)).toEqual([{ ...ids, state: 'reserved', expiresAt }])
    expect(await countsOf(coupons.database, id)).toEqual(counts(1))
  })

  it('applies a coupon and an affiliate link named by their codes', async () => {
    const options = inStore()
    const coupon = await createTestCoupon(coupons, options, { code: 'Ärger' })
    const link = await createTestLink(options, { discountType: AmountType.PERCENTAGE, discountAmount: 500n })
    const { couponId: _, ...order } = newReservation(coupons, coupon)
    const promoCodes = [link.code.toUpperCase(), ' a\u0308RGER']
    const response = await coupons.redemptions.reserveCoupon({ ...order, promoCodes }, options)
    expect(response.coupon).toMatchObject({ couponId: coupon.id, code: 'Ärger', lineDiscounts: [100n] })
    expect(response.affiliateLink).toMatchObject({ affiliateLinkId: link.id, discountAmount: 450n })
  })

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

  it('reserves nothing for an order without a coupon', async () => {
    const options = inStore()
    const link = await createTestLink(options, { discountType: AmountType.FIXED, discountAmount: 30n })
    const { couponId: _, ...order } = newReservation(coupons, { id: '' })
    const response = await coupons.redemptions.reserveCoupon({ ...order, affiliateCode: link.code }, options)
    expect(response).toMatchObject({ affiliateLink: { affiliateLinkId: link.id, discountAmount: 30n } })
    const applied = await coupons.redemptions.reserveCoupon({ ...order, affiliateLinkId: link.id }, options)
    expect(applied).toEqual(response)
    const ignored = await coupons.redemptions.reserveCoupon({ ...order, affiliateCode: 'unknown' }, options)
    expect(ignored.coupon ?? ignored.affiliateLink).toBeUndefined()
    expect(await redemptionsOf(order.checkoutId)).toEqual([])
  })

  it.each<[string, Partial<Reservation>, string]>([
    ['an expired coupon', {}, 'coupon-expired'],
    ['an order below the minimum', { lines: [{ quantity: 1, amount: 99n }] }, 'coupon-below-minimum'],
    ['an order without eligible lines', { lines: [] }, 'coupon-out-of-scope'],
  ])('rejects %s and reserves nothing', async (_, change, code) => {
    const options = inStore()
    const expiresAt = timestampFromDate(new Date(coupons.clock.now().getTime() - 1))
    const terms = { 'coupon-below-minimum': { minimumOrderValue: 100n }, 'coupon-expired': { expiresAt } }
    const coupon = await createTestCoupon(coupons, options, Reflect.get(terms, code) ?? {})
    const reservation = newReservation(coupons, coupon, change)
    expect(await reserve(coupons, options, coupon, reservation)).toBe(`rejected: ${code}`)
    expect(await redemptionsOf(reservation.checkoutId)).toEqual([])
    expect(await countsOf(coupons.database, coupon.id)).toEqual(counts(0))
  })

  it('decides against the latest version of the coupon', async () => {
    const options = inStore()
    const coupon = await createTestCoupon(coupons, options)
    const paths = ['discount_amount']
    const update = { couponId: coupon.id, coupon: { discountAmount: 500n }, updateMask: { paths } }
    const { coupon: changed } = await coupons.client.updateCoupon(update, options)
    const response = await coupons.redemptions.reserveCoupon(newReservation(coupons, coupon), options)
    expect(response.coupon).toMatchObject({ couponVersionId: changed?.versionId, lineDiscounts: [500n] })
  })

  it('decides against the version that a concurrent change leaves behind', async () => {
    const options = inStore()
    const coupon = await createTestCoupon(coupons, options)
    let reserving: Promise<string> = Promise.resolve('')
    await coupons.database.transaction(async (tx) => {
      await tx.query(sql`update coupon set enabled = false where store_id = ${coupon.storeId} and id = ${coupon.id}`)
      reserving = reserve(coupons, options, coupon)
      await expect.poll(() => locksAwaited()).toBeGreaterThan(0)
    })
    expect(await reserving).toBe('rejected: coupon-disabled')
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

  it('leaves connections for other work while many calls wait for one coupon', async () => {
    const [options, elsewhere] = [inStore(), inStore()]
    const [coupon, other] = [await createTestCoupon(coupons, options), await createTestCoupon(coupons, elsewhere)]
    let waiting: Promise<unknown> = Promise.resolve()
    await coupons.database.transaction(async (tx) => {
      await tx.query(sql`select from coupon where store_id = ${coupon.storeId} and id = ${coupon.id} for update`)
      const calls = Array.from({ length: 40 }, () => reserve(coupons, options, coupon).catch(() => 'unavailable'))
      waiting = Promise.all(calls)
      await expect.poll(() => locksAwaited()).toBeGreaterThan(0)
      let isOver = false
      let most = 0
      const watch = async () => {
        while (!isOver) most = Math.max(most, await locksAwaited())
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
      await expect.poll(() => locksAwaited()).toBe(1)
      const left = reserve(coupons, { ...options, signal: checkout.signal }, coupon).catch(() => 'unavailable')
      await expect.poll(() => locksAwaited()).toBe(2)
      checkout.abort()
      await left
      await expect.poll(() => locksAwaited(), { interval: 5 }).toBe(1)
    })
    // Without the cancellation, only the time limit for locks would have ended the wait, first for this call.
    expect(await patient).toBe('RESERVED')
    expect(await countsOf(coupons.database, coupon.id)).toEqual(counts(1))
  })

  it('applies an affiliate code while every connection for locks waits for a coupon of the store', async () => {
    const options = inStore()
    const coupon = await createTestCoupon(coupons, options)
    const link = await createTestLink(options, { discountType: AmountType.FIXED, discountAmount: 30n })
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
        await expect.poll(() => locksAwaited()).toBe(Math.floor(coupons.config.database.connections.transactions / 4))
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

  it('leaves nothing behind after a rejection, so that the checkout can retry', async () => {
    const options = inStore()
    const coupon = await createTestCoupon(coupons, options)
    const checkoutId = randomId()
    expect(await reserve(coupons, options, coupon, { checkoutId, lines: [] })).toBe('rejected: coupon-out-of-scope')
    expect(await reserve(coupons, options, coupon, { checkoutId })).toBe('RESERVED')
  })

  it('rejects a checkout that has released or lost its reservation', async () => {
    const options = inStore()
    const coupon = await createTestCoupon(coupons, options, storeLimit(1n))
    const released = newReservation(coupons, coupon)
    await coupons.redemptions.reserveCoupon(released, options)
    await coupons.redemptions.releaseRedemption({ checkoutId: released.checkoutId }, options)
    expect(await reserve(coupons, options, coupon, released)).toBe('conflict')
    const lost = newReservation(coupons, coupon)
    await coupons.redemptions.reserveCoupon(lost, options)
    coupons.clock.advance(hourMs)
    expect(await reserve(coupons, options, coupon)).toBe('RESERVED')
    expect(await reserve(coupons, options, coupon, lost)).toBe('conflict')
  })

  it('never rejects a code of a checkout that holds a reservation, since a rejection means that it holds none', async () => {
    const options = inStore()
    const coupon = await createTestCoupon(coupons, options)
    const other = await createTestCoupon(coupons, options)
    const reservation = newReservation(coupons, coupon)
    await coupons.redemptions.reserveCoupon(reservation, options)
    const { coupon: changed = coupon } = await coupons.client.updateCoupon(
      { couponId: other.id, coupon: { enabled: false }, updateMask: { paths: ['enabled'] } },
      options,
    )
    const changes: Partial<Reservation>[] = [
      { couponId: changed.id },
      { couponId: randomId() },
      { customerId: randomId() },
      { lines: [] },
    ]
    for (const change of changes) {
      expect(await reserve(coupons, options, coupon, { ...reservation, ...change })).toBe('conflict')
    }
    const note = { couponId: coupon.id, coupon: { note: 'x' }, updateMask: { paths: ['note'] } }
    await coupons.client.updateCoupon(note, options)
    expect(await reserve(coupons, options, coupon, reservation)).toBe('conflict')
    expect(await countsOf(coupons.database, coupon.id)).toEqual(counts(1))
    expect(await countsOf(coupons.database, other.id)).toEqual(counts(0))
  })

  it('does not find coupons, affiliate links and checkouts of another store, nor deleted coupons', async () => {
    const [options, elsewhere] = [inStore(), inStore()]
    const coupon = await createTestCoupon(coupons, options)
    const other = await createTestCoupon(coupons, elsewhere)
    const link = await createTestLink(options, {})
    const checkoutId = randomId()
    const order = { ...newReservation(coupons, coupon), promoCodes: [coupon.code, link.code] }
    expect(await violationsOf(coupons.redemptions.reserveCoupon(order, elsewhere))).toEqual([
      'coupon_id reference',
      'promo_codes.0 reference',
      'promo_codes.1 reference',
    ])
    expect(await reserve(coupons, options, coupon, { checkoutId })).toBe('RESERVED')
    expect(await reserve(coupons, elsewhere, other, { checkoutId })).toBe('RESERVED')
    expect(await countsOf(coupons.database, coupon.id)).toEqual(counts(1))
    await coupons.client.deleteCoupon({ couponId: coupon.id }, options)
    expect(await reserve(coupons, options, coupon)).toBe('rejected: reference')
  })

  it('validates codes without lines and without reserving', async () => {
    const options = inStore()
    const coupon = await createTestCoupon(coupons, options, { ...storeLimit(1n), minimumOrderValue: 1000n })
    await reserve(coupons, options, coupon)
    const customerId = randomId()
    const validate = (codes: { couponId?: string; promoCodes?: string[] }) =>
      coupons.redemptions.reserveCoupon({ customerId, validateOnly: true, ...codes }, options)
    expect((await validate({ promoCodes: [coupon.code] })).coupon).toBeUndefined()
    expect(await violationsOf(validate({ couponId: coupon.id, promoCodes: ['unknown'] }))).toEqual([
      'promo_codes.0 reference',
    ])
    expect(await countsOf(coupons.database, coupon.id)).toEqual(counts(1))
  })

  it.each<[string, Partial<Reservation>, string]>([
    ['coupon', { couponId: 'x' }, 'coupon_id format'],
    ['customer', { customerId: '0' }, 'customer_id format'],
    ['checkout', { checkoutId: '-1' }, 'checkout_id format'],
  ])('rejects a malformed %s id', async (_what, change, violation) => {
    const reservation = newReservation(coupons, { id: '7' }, change)
    expect(await violationsOf(coupons.redemptions.reserveCoupon(reservation, inStore()))).toEqual([violation])
  })

  it('rejects a reservation without an expiry time', async () => {
    const { expiresAt: _, ...reservation } = newReservation(coupons, { id: '7' })
    const call = coupons.redemptions.reserveCoupon(reservation, inStore())
    expect(await violationsOf(call)).toEqual(['expires_at required'])
  })
})
