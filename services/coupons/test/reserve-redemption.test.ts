import { faultOf, randomId, violationsOf, withKey } from '@storekeep/common/testing'
import { RedemptionState } from '@storekeep/proto/coupons/v1/coupon'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { createTestCoupon, inStore, useCoupons } from './harness.ts'
import { counts, countsOf, fillLedger, hourMs, newReservation, type Reservation, reserve } from './redemptions.ts'

const coupons = useCoupons()
const storeLimit = (amount: bigint) => ({ redeemLimitStoreEnabled: true, redeemLimitStoreAmount: amount })
const customerLimit = (amount: bigint) => ({ redeemLimitCustomerEnabled: true, redeemLimitCustomerAmount: amount })

/** Transactions of the service that wait for a lock. */
async function locksAwaited(): Promise<number> {
  const [row] = await coupons.database.query<{ count: number }>(sql`
    select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
  return row?.count ?? 0
}

describe('ReserveRedemption', () => {
  it('takes a place and answers the redemption', async () => {
    const options = inStore()
    const coupon = await createTestCoupon(coupons, options)
    const reservation = newReservation(coupons, coupon)
    const { redemption, refusal } = await coupons.client.reserveRedemption(reservation, options)
    const { expiresAt, ...ids } = reservation
    expect(redemption).toMatchObject({ ...ids, storeId: options.storeId, state: RedemptionState.RESERVED, expiresAt })
    expect(refusal).toBe(0)
    expect(await countsOf(coupons.database, coupon.id)).toEqual(counts(1))
  })

  it('answers the same again for the same checkout, even when there is no more room, and counts once', async () => {
    const options = inStore()
    const coupon = await createTestCoupon(coupons, options, storeLimit(1n))
    const reservation = newReservation(coupons, coupon)
    const once = () => coupons.client.reserveRedemption(reservation, options)
    const first = await once()
    expect(await once()).toEqual(first)
    expect(await Promise.all(Array.from({ length: 8 }, once))).toEqual(Array(8).fill(first))
    expect(await countsOf(coupons.database, coupon.id)).toEqual(counts(1))
  })

  it('counts once when the first 8 calls for a checkout come at once', async () => {
    const options = inStore()
    const coupon = await createTestCoupon(coupons, options, storeLimit(1n))
    const reservation = newReservation(coupons, coupon)
    const calls = Array.from({ length: 8 }, () => coupons.client.reserveRedemption(reservation, options))
    const ids = (await Promise.all(calls)).map(({ redemption }) => redemption?.id)
    expect(new Set(ids).size).toBe(1)
    expect(ids[0]).toBeDefined()
    expect(await countsOf(coupons.database, coupon.id)).toEqual(counts(1))
  })

  it('refuses what the limit of the store has no room for', async () => {
    const options = inStore()
    const coupon = await createTestCoupon(coupons, options, storeLimit(2n))
    const outcomes = []
    for (let n = 0; n < 3; n += 1) outcomes.push(await reserve(coupons, options, coupon))
    expect(outcomes).toEqual(['RESERVED', 'RESERVED', 'refused: EXHAUSTED'])
    expect(await countsOf(coupons.database, coupon.id)).toEqual(counts(2))
  })

  it('refuses what the limit of the customer has no room for, and lets others go on', async () => {
    const options = inStore()
    const coupon = await createTestCoupon(coupons, options, customerLimit(1n))
    const customerId = randomId()
    expect(await reserve(coupons, options, coupon, { customerId })).toBe('RESERVED')
    expect(await reserve(coupons, options, coupon, { customerId })).toBe('refused: CUSTOMER_LIMIT')
    expect(await reserve(coupons, options, coupon)).toBe('RESERVED')
  })

  it('holds no limit that is not enabled', async () => {
    const options = inStore()
    const off = { redeemLimitStoreAmount: 1n, redeemLimitCustomerAmount: 1n }
    const coupon = await createTestCoupon(coupons, options, off)
    const customerId = randomId()
    for (let n = 0; n < 3; n += 1) expect(await reserve(coupons, options, coupon, { customerId })).toBe('RESERVED')
  })

  it('grants nothing more once a limit is below what is used, and goes on when it is raised', async () => {
    const options = inStore()
    let coupon = await createTestCoupon(coupons, options)
    const customerId = randomId()
    for (let n = 0; n < 3; n += 1) await reserve(coupons, options, coupon, { customerId })
    const limit = async (amount: bigint, kind: 'store' | 'customer') => {
      const change = kind === 'store' ? storeLimit(amount) : customerLimit(amount)
      const paths = [`redeem_limit_${kind}_enabled`, `redeem_limit_${kind}_amount`]
      const request = { couponId: coupon.id, coupon: change, updateMask: { paths } }
      coupon = (await coupons.client.updateCoupon(request, options)).coupon ?? coupon
      return reserve(coupons, options, coupon, { customerId })
    }
    expect(await limit(2n, 'store')).toBe('refused: EXHAUSTED')
    expect(await limit(4n, 'store')).toBe('RESERVED')
    expect(await limit(5n, 'store')).toBe('RESERVED')
    expect(await limit(2n, 'customer')).toBe('refused: EXHAUSTED')
    expect(await limit(9n, 'store')).toBe('refused: CUSTOMER_LIMIT')
    expect(await limit(6n, 'customer')).toBe('RESERVED')
    expect(await countsOf(coupons.database, coupon.id)).toEqual(counts(6))
  })

  it('gives the place of an expired reservation away', async () => {
    const options = inStore()
    const coupon = await createTestCoupon(coupons, options, { ...storeLimit(2n), ...customerLimit(1n) })
    const customerId = randomId()
    expect(await reserve(coupons, options, coupon, { customerId })).toBe('RESERVED')
    expect(await reserve(coupons, options, coupon, { customerId })).toBe('refused: CUSTOMER_LIMIT')
    coupons.clock.advance(hourMs)
    expect(await reserve(coupons, options, coupon, { customerId })).toBe('RESERVED')
    expect(await reserve(coupons, options, coupon)).toBe('RESERVED')
    expect(await reserve(coupons, options, coupon)).toBe('refused: EXHAUSTED')
    expect(await countsOf(coupons.database, coupon.id)).toEqual(counts(2))
  })

  it('ends a bounded number of expired reservations for one place, however many there are', async () => {
    const options = inStore()
    const coupon = await createTestCoupon(coupons, options, storeLimit(3000n))
    await fillLedger(coupons, coupon, 3000)
    expect(await reserve(coupons, options, coupon)).toBe('refused: EXHAUSTED')
    coupons.clock.advance(hourMs)
    expect(await reserve(coupons, options, coupon)).toBe('RESERVED')
    expect(await countsOf(coupons.database, coupon.id)).toEqual(counts(2501))
  })

  it('gives a customer at its limit its own places, when those of others would have ended before them', async () => {
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

  it('leaves connections for everything else while many wait for one coupon', async () => {
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
      expect(most).toBeLessThanOrEqual(coupons.config.database.poolSize / 4)
    })
    await waiting
    const { coupon: used, ...others } = await countsOf(coupons.database, coupon.id)
    expect(others).toEqual({ customers: used, ledger: used })
  })

  it('refuses another version than the present one, and a coupon that is gone', async () => {
    const options = inStore()
    const coupon = await createTestCoupon(coupons, options)
    expect(await reserve(coupons, options, coupon, { couponVersionId: randomId() })).toBe('refused: CHANGED')
    const note = { couponId: coupon.id, coupon: { note: 'x' }, updateMask: { paths: ['note'] } }
    const { coupon: changed = coupon } = await coupons.client.updateCoupon(note, options)
    expect(await reserve(coupons, options, coupon)).toBe('refused: CHANGED')
    expect(await reserve(coupons, options, changed)).toBe('RESERVED')
    await coupons.client.deleteCoupon({ couponId: coupon.id }, options)
    expect(await reserve(coupons, options, changed)).toBe('refused: CHANGED')
  })

  it('leaves nothing behind when it refuses: the checkout may ask again', async () => {
    const options = inStore()
    const coupon = await createTestCoupon(coupons, options)
    const checkoutId = randomId()
    expect(await reserve(coupons, options, coupon, { checkoutId, couponVersionId: randomId() })).toBe(
      'refused: CHANGED',
    )
    expect(await reserve(coupons, options, coupon, { checkoutId })).toBe('RESERVED')
  })

  it('refuses a checkout that has given its place back, or lost it', async () => {
    const options = inStore()
    const coupon = await createTestCoupon(coupons, options, storeLimit(1n))
    const released = newReservation(coupons, coupon)
    await coupons.client.reserveRedemption(released, options)
    await coupons.client.releaseRedemption({ checkoutId: released.checkoutId }, options)
    expect(await reserve(coupons, options, coupon, released)).toBe('refused: RELEASED')
    const lost = newReservation(coupons, coupon)
    await coupons.client.reserveRedemption(lost, options)
    coupons.clock.advance(hourMs)
    expect(await reserve(coupons, options, coupon)).toBe('RESERVED')
    expect(await reserve(coupons, options, coupon, lost)).toBe('refused: RELEASED')
  })

  it('does not take one redemption for another', async () => {
    const options = inStore()
    const coupon = await createTestCoupon(coupons, options)
    const other = await createTestCoupon(coupons, options)
    const reservation = newReservation(coupons, coupon)
    await coupons.client.reserveRedemption(reservation, options)
    const changes: Partial<Reservation>[] = [
      { couponId: other.id, couponVersionId: other.versionId },
      { couponVersionId: other.versionId },
      { customerId: randomId() },
    ]
    for (const change of changes) {
      const call = coupons.client.reserveRedemption({ ...reservation, ...change }, options)
      expect(await faultOf(call)).toMatchObject({ code: 'conflict' })
    }
    expect(await countsOf(coupons.database, coupon.id)).toEqual(counts(1))
    expect(await countsOf(coupons.database, other.id)).toEqual(counts(0))
  })

  it('knows no coupon and no checkout of another store', async () => {
    const [options, elsewhere] = [inStore(), inStore()]
    const coupon = await createTestCoupon(coupons, options)
    const other = await createTestCoupon(coupons, elsewhere)
    const checkoutId = randomId()
    expect(await reserve(coupons, elsewhere, coupon)).toBe('refused: CHANGED')
    expect(await reserve(coupons, options, coupon, { checkoutId })).toBe('RESERVED')
    expect(await reserve(coupons, elsewhere, other, { checkoutId })).toBe('RESERVED')
    expect(await countsOf(coupons.database, coupon.id)).toEqual(counts(1))
  })

  it('keeps its answer for an Idempotency-Key', async () => {
    const options = inStore()
    const coupon = await createTestCoupon(coupons, options, storeLimit(1n))
    const [keyed, reservation] = [withKey(options), newReservation(coupons, coupon)]
    const first = await coupons.client.reserveRedemption(reservation, keyed)
    await coupons.client.releaseRedemption({ checkoutId: reservation.checkoutId }, options)
    expect(await coupons.client.reserveRedemption(reservation, keyed)).toEqual(first)
    expect(await countsOf(coupons.database, coupon.id)).toEqual(counts(0))
  })

  it.each<[string, Partial<Reservation>, string]>([
    ['no coupon', { couponId: '' }, 'coupon_id required'],
    ['what is no version', { couponVersionId: 'x' }, 'coupon_version_id format'],
    ['what is no customer', { customerId: '0' }, 'customer_id format'],
    ['what is no checkout', { checkoutId: '-1' }, 'checkout_id format'],
  ])('refuses %s', async (_what, change, violation) => {
    const options = inStore()
    const coupon = await createTestCoupon(coupons, options)
    const reservation = newReservation(coupons, coupon, change)
    expect(await violationsOf(coupons.client.reserveRedemption(reservation, options))).toEqual([violation])
  })

  it('refuses a reservation without an end', async () => {
    const options = inStore()
    const { expiresAt: _, ...reservation } = newReservation(coupons, await createTestCoupon(coupons, options))
    const call = coupons.client.reserveRedemption(reservation, options)
    expect(await violationsOf(call)).toEqual(['expires_at required'])
  })
})
