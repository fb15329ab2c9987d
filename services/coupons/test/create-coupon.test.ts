import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt'
import { isFlakeId } from '@storekeep/common/flake'
import { countEvents, eventsOf, faultOf, randomId, violationsOf, withKey } from '@storekeep/common/testing'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import { CouponDiscountType, CouponDuration } from '@storekeep/proto/coupons/v1/coupon'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { createTestCoupon, type Input, inStore, newCoupon, useCoupons } from './harness.ts'

const coupons = useCoupons()

function everything(customerId: string): Input {
  return {
    enabled: true,
    code: 'Summer ☀',
    note: 'For the fair',
    duration: CouponDuration.REPEATING,
    durationInMonths: 3,
    discountType: CouponDiscountType.AMOUNT,
    discountAmount: 9_007_199_254_740_991n,
    discountApplyIndividually: true,
    discountApplyBeforeSales: true,
    applyToProducts: ['411486491630370816', '9223372036854775807'],
    applyToTags: ['1'],
    usableByCustomerId: customerId,
    minimumOrderValue: 1n,
    redeemLimitStoreEnabled: true,
    redeemLimitStoreAmount: 9_007_199_254_740_991n,
    redeemLimitCustomerEnabled: true,
    redeemLimitCustomerAmount: 1n,
    usableOnOneTimePurchase: true,
    usableOnSubscription: true,
    usableAt: timestampFromDate(new Date('2026-01-01T00:00:00.001Z')),
    expiresAt: timestampFromDate(new Date('2027-01-01T00:00:00.999Z')),
  }
}

describe('CreateCoupon', () => {
  it('creates a coupon with every field', async () => {
    const options = inStore()
    const input = everything(coupons.customers.add(options.storeId))
    const coupon = await createTestCoupon(coupons, options, input)
    expect(coupon).toMatchObject({
      ...input,
      storeId: options.storeId,
      createdBy: { type: ActorType.API_KEY, id: options.actor?.id },
      version: 1n,
    })
    expect([coupon.id, coupon.versionId].map(isFlakeId)).toEqual([true, true])
    expect(coupon.versionId).not.toBe(coupon.id)
    expect(coupon.updatedBy ?? coupon.updatedAt).toBeUndefined()
    const age = Date.now() - (coupon.createdAt ? timestampDate(coupon.createdAt).getTime() : 0)
    expect(Math.abs(age)).toBeLessThan(60_000)
    expect((await coupons.client.getCoupon({ couponId: coupon.id }, options)).coupon).toEqual(coupon)
  })

  it('creates a coupon from code, discount_type and discount_amount, the rest by default', async () => {
    const coupon = { code: 'JUST-3', discountType: CouponDiscountType.PERCENT, discountAmount: 1n }
    const { coupon: created } = await coupons.client.createCoupon({ coupon }, inStore())
    expect(created).toMatchObject({
      ...coupon,
      enabled: true,
      duration: CouponDuration.ONCE,
      discountApplyIndividually: false,
      discountApplyBeforeSales: false,
      applyToProducts: [],
      applyToTags: [],
      minimumOrderValue: 0n,
      redeemLimitStoreEnabled: false,
      redeemLimitStoreAmount: 0n,
      redeemLimitCustomerEnabled: false,
      redeemLimitCustomerAmount: 0n,
      usableOnOneTimePurchase: true,
      usableOnSubscription: true,
    })
    const unset = ['note', 'durationInMonths', 'durationInIntervals', 'usableByCustomerId', 'usableAt', 'expiresAt']
    for (const field of unset) expect(created, field).not.toHaveProperty(field)
  })

  it('trims the code and removes duplicate ids', async () => {
    const products = ['5', '7', '5']
    const coupon = await createTestCoupon(coupons, inStore(), { code: '  Ab c \n', applyToProducts: products })
    expect(coupon).toMatchObject({ code: 'Ab c', applyToProducts: ['5', '7'] })
  })

  it('publishes the whole coupon in the same transaction', async () => {
    const options = inStore()
    const coupon = await createTestCoupon(coupons, options, everything(coupons.customers.add(options.storeId)))
    expect(await eventsOf(coupons, coupon.id)).toEqual([
      {
        type: 'coupon.created',
        version: '1',
        storeId: options.storeId,
        message: expect.objectContaining({ coupon }),
      },
    ])
  })

  it('stores the terms of its version', async () => {
    const { id, versionId, code } = await createTestCoupon(coupons, inStore(), { discountAmount: 77n })
    const versions = await coupons.database.query(sql`
      select id, created_by as by, terms ->> 'code' as code, terms -> 'discount_amount' as amount,
        terms ?| array['id', 'store_id', 'used', 'folded_code', 'version', 'created_by'] as more
      from coupon_version where coupon_id = ${id}`)
    expect(versions).toEqual([
      { id: versionId, by: expect.stringContaining('api_key:'), code, amount: 77, more: false },
    ])
  })

  it.each([
    ['the same code', 'Winter', 'Winter'],
    ['the code in another case', 'WINTER', 'winTER'],
    ['the code with surrounding spaces', 'Winter', ' Winter '],
    ['the code in another Unicode composition', 'ÄRGER', 'a\u0308rger'],
  ])('rejects %s twice in a store', async (_what, first, second) => {
    const options = inStore()
    const { id } = await createTestCoupon(coupons, options, { code: first })
    const again = createTestCoupon(coupons, options, { code: second })
    expect(await faultOf(again)).toMatchObject({
      code: 'conflict',
      violations: [{ path: 'code', validation: 'unique', code: 'unique' }],
    })
    await createTestCoupon(coupons, inStore(), { code: second })
    expect((await coupons.client.listCoupons({}, options)).coupons.map((one) => one.id)).toEqual([id])
  })

  it('creates one of 8 concurrent coupons with the same code', async () => {
    const options = inStore()
    const calls = Array.from({ length: 8 }, () => createTestCoupon(coupons, options, { code: 'first' }))
    const settled = await Promise.allSettled(calls)
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const one of settled) if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'conflict' })
    expect(await countEvents(coupons, options.storeId)).toBe(1)
  })

  it('rejects a customer that does not exist in the store', async () => {
    const options = inStore()
    const foreign = coupons.customers.add(randomId())
    for (const usableByCustomerId of [randomId(), foreign]) {
      const call = createTestCoupon(coupons, options, { usableByCustomerId })
      expect(await violationsOf(call)).toEqual(['usable_by_customer_id reference'])
    }
    expect(await countEvents(coupons, options.storeId)).toBe(0)
  })

  it('returns 503 while customers is unavailable, but not for a coupon without a customer', async () => {
    const options = inStore()
    const usableByCustomerId = coupons.customers.add(options.storeId)
    coupons.customers.isUnavailable = true
    try {
      expect(await faultOf(createTestCoupon(coupons, options, { usableByCustomerId }))).toMatchObject({
        code: 'service-unavailable',
        retryAfterSeconds: expect.any(Number),
      })
      await createTestCoupon(coupons, options)
    } finally {
      coupons.customers.isUnavailable = false
    }
  })

  it('returns the stored response for a repeated key while customers is unavailable', async () => {
    const options = withKey(inStore())
    const coupon = newCoupon({ usableByCustomerId: coupons.customers.add(options.storeId) })
    const first = await coupons.client.createCoupon({ coupon }, options)
    coupons.customers.isUnavailable = true
    try {
      expect(await coupons.client.createCoupon({ coupon }, options)).toEqual(first)
    } finally {
      coupons.customers.isUnavailable = false
    }
  })

  it('reports all violations', async () => {
    const invalid: Input = {
      code: ' ',
      duration: CouponDuration.UNSPECIFIED,
      discountType: CouponDiscountType.UNSPECIFIED,
      applyToTags: ['1', 'x'],
      usableByCustomerId: '0',
      minimumOrderValue: -1n,
      redeemLimitStoreEnabled: true,
      redeemLimitCustomerAmount: 2n ** 53n,
      usableOnOneTimePurchase: false,
      usableOnSubscription: false,
    }
    expect(await violationsOf(createTestCoupon(coupons, inStore(), invalid))).toEqual([
      'code required',
      'duration enum',
      'discount_type enum',
      'apply_to_tags.1 format',
      'usable_by_customer_id format',
      'minimum_order_value min',
      'redeem_limit_store_amount min',
      'redeem_limit_customer_amount max',
      'usable_on_one_time_purchase required',
    ])
    expect(await violationsOf(coupons.client.createCoupon({}, inStore()))).toContain('code required')
  })

  it('is idempotent with a key, which is rejected for another coupon', async () => {
    const options = inStore()
    const [keyed, coupon] = [withKey(options), newCoupon()]
    const create = () => coupons.client.createCoupon({ coupon }, keyed)
    const first = await create()
    expect(await create()).toEqual(first)
    expect(await countEvents(coupons, options.storeId)).toBe(1)
    const other = coupons.client.createCoupon({ coupon: { ...coupon, note: 'x' } }, keyed)
    expect(await faultOf(other)).toMatchObject({ code: 'idempotency-mismatch' })
  })
})
