import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { eventsOf, faultOf, randomId, violationsOf, withKey } from '@storekeep/common/testing'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import { type Coupon, CouponDiscountType, CouponDuration } from '@storekeep/proto/coupons/v1/coupon'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { createTestCoupon, type Input, inStore, useCoupons } from './harness.ts'

const coupons = useCoupons()
const at = (time: string) => timestampFromDate(new Date(time))

async function update(options: ReturnType<typeof inStore>, couponId: string, paths: string[], coupon: Input = {}) {
  const response = await coupons.client.updateCoupon({ couponId, coupon, updateMask: { paths } }, options)
  return response.coupon as Coupon
}

describe('UpdateCoupon', () => {
  it.each<[string, Input]>([
    ['enabled', { enabled: false }],
    ['code', { code: 'Other' }],
    ['note', { note: 'x' }],
    ['duration', { duration: CouponDuration.FOREVER }],
    ['discount_type', { discountType: CouponDiscountType.AMOUNT }],
    ['discount_amount', { discountAmount: 1000n }],
    ['discount_apply_individually', { discountApplyIndividually: true }],
    ['discount_apply_before_sales', { discountApplyBeforeSales: true }],
    ['apply_to_products', { applyToProducts: ['5'] }],
    ['apply_to_tags', { applyToTags: ['6', '7'] }],
    ['minimum_order_value', { minimumOrderValue: 99n }],
    ['redeem_limit_store_amount', { redeemLimitStoreAmount: 3n }],
    ['redeem_limit_customer_amount', { redeemLimitCustomerAmount: 4n }],
    ['usable_on_subscription', { usableOnSubscription: true }],
    ['usable_at', { usableAt: at('2026-01-01T00:00:00Z') }],
    ['expires_at', { expiresAt: at('2020-01-01T00:00:00Z') }],
  ])('changes %s alone', async (path, change) => {
    const options = inStore()
    const before = await createTestCoupon(coupons, options)
    const unnamed: Input = { code: 'NOT THIS', note: 'nor this', minimumOrderValue: 5n, ...change }
    const after = await update(options, before.id, [path], unnamed)
    const { updatedAt, updatedBy, version, versionId, ...rest } = after
    const { versionId: versionBefore, ...others } = before
    expect(rest).toEqual({ ...others, ...change, version: undefined, updatedAt: undefined, updatedBy: undefined })
    expect([version, versionId === versionBefore, updatedBy?.type]).toEqual([2n, false, ActorType.API_KEY])
    expect(updatedAt).toBeDefined()
    expect((await coupons.client.getCoupon({ couponId: before.id }, options)).coupon).toEqual(after)
  })

  it('changes dependent fields together', async () => {
    const options = inStore()
    const { id } = await createTestCoupon(coupons, options)
    const repeating = { duration: CouponDuration.REPEATING, durationInMonths: 3 }
    expect(await update(options, id, ['duration', 'duration_in_months'], repeating)).toMatchObject(repeating)
    const intervals = { durationInIntervals: 2 }
    const after = await update(options, id, ['duration_in_months', 'duration_in_intervals'], intervals)
    expect(after).toMatchObject(intervals)
    expect(after.durationInMonths).toBeUndefined()
    const once = await update(options, id, ['duration', 'duration_in_intervals'], { duration: CouponDuration.ONCE })
    expect(once).toMatchObject({ duration: CouponDuration.ONCE, version: 4n })
    expect(once.durationInIntervals).toBeUndefined()
  })

  it('clears optional fields that are in the mask but unset', async () => {
    const options = inStore()
    const before = await createTestCoupon(coupons, options, {
      note: 'x',
      applyToProducts: ['5'],
      applyToTags: ['6'],
      usableByCustomerId: coupons.customers.add(options.storeId),
      usableAt: at('2026-01-01T00:00:00Z'),
      expiresAt: at('2027-01-01T00:00:00Z'),
    })
    const paths = ['note', 'apply_to_products', 'apply_to_tags', 'usable_by_customer_id', 'usable_at', 'expires_at']
    const after = await update(options, before.id, paths)
    for (const field of ['note', 'usableByCustomerId', 'usableAt', 'expiresAt']) {
      expect(Object.hasOwn(after, field), field).toBe(false)
    }
    expect(after).toMatchObject({ applyToProducts: [], applyToTags: [] })
  })

  it.each<[string, string[], Input]>([
    ['an empty mask', [], { note: 'y' }],
    ['unchanged values', ['note', 'code', 'discount_amount'], { note: 'x', code: ' Same ', discountAmount: 100n }],
  ])('changes nothing for %s', async (_what, paths, change) => {
    const options = inStore()
    const before = await createTestCoupon(coupons, options, { note: 'x', code: 'Same' })
    expect(await update(options, before.id, paths, change)).toEqual(before)
    expect((await eventsOf(coupons, before.id)).map(({ type }) => type)).toEqual(['coupon.created'])
  })

  it.each<[string, Input, string[], Input, string]>([
    [
      'a repeating coupon without a length',
      {},
      ['duration'],
      { duration: CouponDuration.REPEATING },
      'duration_in_months required',
    ],
    [
      'a length for a coupon that does not repeat',
      {},
      ['duration_in_months'],
      { durationInMonths: 2 },
      'duration_in_months exclusive',
    ],
    [
      'two lengths',
      { duration: CouponDuration.REPEATING, durationInMonths: 3 },
      ['duration_in_intervals'],
      { durationInIntervals: 2 },
      'duration_in_intervals exclusive',
    ],
    [
      'an amount that exceeds 100 % after a change of the type',
      { discountType: CouponDiscountType.AMOUNT, discountAmount: 5000n },
      ['discount_type'],
      { discountType: CouponDiscountType.PERCENT },
      'discount_amount max',
    ],
    [
      'an enabled limit of 0',
      {},
      ['redeem_limit_store_enabled'],
      { redeemLimitStoreEnabled: true },
      'redeem_limit_store_amount min',
    ],
    [
      'an end that is not after the stored start',
      { usableAt: at('2026-06-01T00:00:00Z') },
      ['expires_at'],
      { expiresAt: at('2026-06-01T00:00:00Z') },
      'expires_at min',
    ],
    [
      'no kind of purchase',
      {},
      ['usable_on_one_time_purchase'],
      { usableOnOneTimePurchase: false },
      'usable_on_one_time_purchase required',
    ],
  ])('rejects %s', async (_what, terms, paths, change, violation) => {
    const options = inStore()
    const before = await createTestCoupon(coupons, options, terms)
    expect(await violationsOf(update(options, before.id, paths, change))).toEqual([violation])
    expect((await coupons.client.getCoupon({ couponId: before.id }, options)).coupon).toEqual(before)
  })

  it('rejects a mask with unknown or read-only fields', async () => {
    const options = inStore()
    const { id } = await createTestCoupon(coupons, options)
    expect(await faultOf(update(options, id, ['store_id']))).toMatchObject({ code: 'bad-request' })
  })

  it('accepts only an existing customer', async () => {
    const options = inStore()
    const { id } = await createTestCoupon(coupons, options)
    const paths = ['usable_by_customer_id']
    const usableByCustomerId = coupons.customers.add(options.storeId)
    expect(await update(options, id, paths, { usableByCustomerId })).toMatchObject({ usableByCustomerId })
    const unknown = update(options, id, paths, { usableByCustomerId: randomId() })
    expect(await violationsOf(unknown)).toEqual(['usable_by_customer_id reference'])
    expect(await violationsOf(update(options, id, paths, { usableByCustomerId: 'x' }))).toEqual([
      'usable_by_customer_id format',
    ])
  })

  it('does not look up an unchanged customer, nor the customer of an unknown coupon', async () => {
    const options = inStore()
    const usableByCustomerId = coupons.customers.add(options.storeId)
    const { id } = await createTestCoupon(coupons, options, { usableByCustomerId })
    const change = { note: 'x', usableByCustomerId }
    const paths = ['note', 'usable_by_customer_id']
    coupons.customers.isUnavailable = true
    try {
      expect(await update(options, id, paths, change)).toMatchObject(change)
      expect(await faultOf(update(options, randomId(), paths, change))).toMatchObject({ code: 'not-found' })
      const other = { ...change, usableByCustomerId: randomId() }
      expect(await faultOf(update(options, id, paths, other))).toMatchObject({ code: 'service-unavailable' })
    } finally {
      coupons.customers.isUnavailable = false
    }
  })

  it('returns the stored response for a repeated key while customers is unavailable', async () => {
    const options = withKey(inStore())
    const { id: couponId } = await createTestCoupon(coupons, inStore(options.storeId))
    const coupon = { usableByCustomerId: coupons.customers.add(options.storeId) }
    const request = { couponId, coupon, updateMask: { paths: ['usable_by_customer_id'] } }
    const first = await coupons.client.updateCoupon(request, options)
    coupons.customers.isUnavailable = true
    try {
      expect(await coupons.client.updateCoupon(request, options)).toEqual(first)
    } finally {
      coupons.customers.isUnavailable = false
    }
  })

  it('rejects the code of another coupon and frees its previous code', async () => {
    const options = inStore()
    const { id } = await createTestCoupon(coupons, options, { code: 'mine' })
    await createTestCoupon(coupons, options, { code: 'yours' })
    expect(await faultOf(update(options, id, ['code'], { code: 'YOURS' }))).toMatchObject({
      code: 'conflict',
      violations: [{ path: 'code', validation: 'unique' }],
    })
    expect((await update(options, id, ['code'], { code: 'MINE' })).code).toBe('MINE')
    await update(options, id, ['code'], { code: 'new' })
    await createTestCoupon(coupons, options, { code: 'mine' })
  })

  it('keeps two concurrent changes of different fields, 20 times, and publishes the result of both', async () => {
    const options = inStore()
    const { id } = await createTestCoupon(coupons, options)
    for (let round = 1; round <= 20; round += 1) {
      const [note, minimumOrderValue] = [`round ${round}`, BigInt(round)]
      await Promise.all([
        update(options, id, ['note'], { note }),
        update(options, id, ['minimum_order_value'], { minimumOrderValue }),
      ])
      const { coupon } = await coupons.client.getCoupon({ couponId: id }, options)
      expect(coupon).toMatchObject({ note, minimumOrderValue, version: BigInt(round * 2 + 1) })
      expect((await eventsOf(coupons, id)).at(-1)?.message).toMatchObject({ coupon: { note, minimumOrderValue } })
    }
  })

  it('stores the terms of every version under its id', async () => {
    const options = inStore()
    const before = await createTestCoupon(coupons, options)
    const after = await update(options, before.id, ['discount_amount'], { discountAmount: 500n })
    const versions = await coupons.database.query(sql`
      select id, terms -> 'discount_amount' as amount from coupon_version where coupon_id = ${before.id} order by id`)
    expect(versions).toEqual([
      { id: before.versionId, amount: 100 },
      { id: after.versionId, amount: 500 },
    ])
  })

  it('returns not-found for an unknown coupon and one of another store', async () => {
    const { id } = await createTestCoupon(coupons, inStore())
    expect(await faultOf(update(inStore(), id, ['note'], { note: 'x' }))).toMatchObject({ code: 'not-found' })
    expect(await faultOf(update(inStore(), randomId(), []))).toMatchObject({ code: 'not-found' })
    expect(await violationsOf(update(inStore(), 'x', []))).toEqual(['coupon_id format'])
  })

  it('is idempotent with a key and publishes the whole coupon', async () => {
    const options = inStore()
    const { id } = await createTestCoupon(coupons, options)
    const repeated = withKey(options)
    const first = await update(repeated, id, ['note'], { note: 'one' })
    await update(options, id, ['note'], { note: 'two' })
    expect(await update(repeated, id, ['note'], { note: 'one' })).toEqual(first)
    const events = await eventsOf(coupons, id)
    expect(events.map(({ type, version }) => [type, version])).toEqual([
      ['coupon.created', '1'],
      ['coupon.updated', '2'],
      ['coupon.updated', '3'],
    ])
    expect(events[1]?.message).toMatchObject({ coupon: first })
  })
})
