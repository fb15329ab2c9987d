import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import { CouponDiscountType, CouponDuration } from '@storekeep/proto/coupons/v1/coupon'
import { CouponStatusFilter, CouponTypeFilter } from '@storekeep/proto/coupons/v1/coupons_service'
import { describe, expect, it } from 'vitest'
import { itemsOf, useGateway } from './harness.ts'
import { newId } from './ids.ts'

const gateway = useGateway()

const needed = {
  enabled: true,
  code: 'SUMMER',
  duration: 'once',
  discount_type: 'percent',
  discount_amount: 125,
  discount_apply_individually: false,
  discount_apply_before_sales: true,
  minimum_order_value: 0,
  redeem_limit_store_enabled: false,
  redeem_limit_store_amount: 0,
  redeem_limit_customer_enabled: true,
  redeem_limit_customer_amount: 2,
  usable_on_one_time_purchase: true,
  usable_on_subscription: false,
}
const optional = {
  note: 'For the fair',
  duration_in_months: 3,
  duration_in_intervals: 2,
  apply_to_products: ['5'],
  apply_to_tags: ['6', '7'],
  usable_by_customer_id: '8',
  usable_at: '2026-12-01T00:00:00.123Z',
  expires_at: '2027-01-01T01:00:00+01:00',
}

const invalidFields: [string, unknown, string][] = [
  ['enabled', 'true', 'enabled type'],
  ['code', ' \n', 'code length'],
  ['code', 'x'.repeat(65), 'code length'],
  ['code', 5, 'code type'],
  ['note', 'x'.repeat(1001), 'note length'],
  ['duration', 'twice', 'duration enum'],
  ['duration_in_months', 0, 'duration_in_months min'],
  ['duration_in_months', 2147483648, 'duration_in_months max'],
  ['duration_in_intervals', 1.5, 'duration_in_intervals type'],
  ['discount_type', 'unspecified', 'discount_type enum'],
  ['discount_amount', 0, 'discount_amount min'],
  ['discount_amount', '5', 'discount_amount type'],
  ['discount_amount', 12.5, 'discount_amount type'],
  ['apply_to_products', '5', 'apply_to_products type'],
  ['apply_to_products', ['5', 6], 'apply_to_products.1 type'],
  ['apply_to_products', ['7', 'x'], 'apply_to_products.1 format'],
  ['apply_to_tags', [7], 'apply_to_tags.0 type'],
  ['apply_to_tags', ['0'], 'apply_to_tags.0 format'],
  ['apply_to_tags', Array(1001).fill('1'), 'apply_to_tags length'],
  ['usable_by_customer_id', 'x', 'usable_by_customer_id format'],
  ['minimum_order_value', -1, 'minimum_order_value min'],
  ['minimum_order_value', 2 ** 53, 'minimum_order_value max'],
  ['redeem_limit_store_amount', -1, 'redeem_limit_store_amount min'],
  ['usable_at', '2026-12-01', 'usable_at format'],
  ['expires_at', 5, 'expires_at type'],
]

describe('POST /coupons', () => {
  it('passes every field to the service and returns 200 with the coupon', async () => {
    const json = { ...needed, ...optional, code: ' SUMMER ', minimum_order_value: 9007199254740991 }
    const response = await gateway.newStore().send('POST', '/coupons', { json })
    expect(response.status).toBe(200)
    expect(gateway.received().coupon).toMatchObject({
      enabled: true,
      code: 'SUMMER',
      note: 'For the fair',
      duration: CouponDuration.ONCE,
      durationInMonths: 3,
      durationInIntervals: 2,
      discountType: CouponDiscountType.PERCENT,
      discountAmount: 125n,
      discountApplyIndividually: false,
      discountApplyBeforeSales: true,
      applyToProducts: ['5'],
      applyToTags: ['6', '7'],
      usableByCustomerId: '8',
      minimumOrderValue: 9007199254740991n,
      redeemLimitStoreEnabled: false,
      redeemLimitStoreAmount: 0n,
      redeemLimitCustomerEnabled: true,
      redeemLimitCustomerAmount: 2n,
      usableOnOneTimePurchase: true,
      usableOnSubscription: false,
      usableAt: timestampFromDate(new Date('2026-12-01T00:00:00.123Z')),
      expiresAt: timestampFromDate(new Date('2027-01-01T00:00:00Z')),
    })
  })

  it.each([
    ['absent', {}],
    ['null', Object.fromEntries(Object.keys(optional).map((name) => [name, null]))],
  ])('accepts nullable fields that are %s', async (_what, json) => {
    expect((await gateway.newStore().send('POST', '/coupons', { json: { ...needed, ...json } })).status).toBe(200)
    const coupon = gateway.received().coupon as object
    for (const field of ['note', 'durationInMonths', 'usableByCustomerId', 'usableAt', 'expiresAt']) {
      expect(Object.hasOwn(coupon, field), field).toBe(false)
    }
    expect(coupon).toMatchObject({ applyToProducts: [], applyToTags: [] })
  })

  it('needs only a code and a discount, and leaves the defaults to the service', async () => {
    const json = { code: 'SUMMER', discount_type: 'percent', discount_amount: 125 }
    expect((await gateway.newStore().send('POST', '/coupons', { json })).status).toBe(200)
    const { coupon } = gateway.received() as { coupon: object }
    for (const field of ['enabled', 'duration', 'usableOnOneTimePurchase', 'usableOnSubscription']) {
      expect(Object.hasOwn(coupon, field), field).toBe(false)
    }
    const empty = itemsOf(await gateway.newStore().send('POST', '/coupons', { json: {} }))
    expect(empty.sort()).toEqual(['code required', 'discount_amount required', 'discount_type required'])
  })

  it.each(Object.keys(needed))('rejects null for %s', async (name) => {
    const store = gateway.newStore()
    const nulled = itemsOf(await store.send('POST', '/coupons', { json: { ...needed, [name]: null } }))
    expect(nulled.map((item) => item.split(' ')[0])).toEqual([name])
  })

  it.each(invalidFields)('rejects %s: %j', async (name, value, item) => {
    expect(itemsOf(await gateway.newStore().send('POST', '/coupons', { json: { ...needed, [name]: value } }))).toEqual([
      item,
    ])
  })

  it.each([
    ['9007199254740992', 'redeem_limit_store_amount max'],
    ['-9223372036854775808', 'redeem_limit_store_amount min'],
    ['1e99', 'redeem_limit_store_amount'],
  ])('rejects the amount %s, which JSON cannot represent exactly', async (number, item) => {
    const { redeem_limit_store_amount: _, ...others } = needed
    const raw = JSON.stringify(others).replace('{', `{"redeem_limit_store_amount":${number},`)
    const headers = { 'content-type': 'application/json' }
    expect(itemsOf(await gateway.newStore().send('POST', '/coupons', { raw, headers })).join()).toContain(item)
  })
})

describe('PATCH /coupons/{couponId}', () => {
  it.each<[string, object, string[]]>([
    ['no field', {}, []],
    ['every field', { ...needed, ...optional }, [...Object.keys(needed), ...Object.keys(optional)]],
    [
      'null for nullable fields',
      Object.fromEntries(Object.keys(optional).map((name) => [name, null])),
      Object.keys(optional),
    ],
  ])('updates %s', async (_what, json, paths) => {
    const couponId = newId()
    expect((await gateway.newStore().send('PATCH', `/coupons/${couponId}`, { json })).status).toBe(200)
    expect(gateway.received()).toMatchObject({ couponId })
    const { updateMask } = gateway.received() as { updateMask: { paths: string[] } }
    expect(updateMask.paths.toSorted()).toEqual(paths.toSorted())
  })

  it.each(invalidFields)('rejects %s: %j', async (name, value, item) => {
    const response = await gateway.newStore().send('PATCH', `/coupons/${newId()}`, { json: { [name]: value } })
    expect(itemsOf(response)).toEqual([item])
  })

  it.each(Object.keys(needed))('rejects null for %s', async (name) => {
    const response = await gateway.newStore().send('PATCH', `/coupons/${newId()}`, { json: { [name]: null } })
    expect(response.status).toBe(400)
    expect(itemsOf(response).map((item) => item.split(' ')[0])).toEqual([name])
  })
})

describe('GET /coupons', () => {
  it('passes filters and page to the service and links to the next page', async () => {
    const store = gateway.newStore()
    gateway.services.overrides.listCoupons = async () => ({
      coupons: [
        {
          id: '5',
          storeId: store.id,
          versionId: '6',
          duration: CouponDuration.ONCE,
          createdAt: timestampFromDate(new Date(0)),
        },
      ],
      page: { hasNext: true, hasPrevious: false },
    })
    const query = 'status=active&type=generated&usable_by_customer_id=7&limit=1'
    const response = await store.send('GET', `/coupons?${query}`)
    expect(gateway.received()).toMatchObject({
      status: CouponStatusFilter.ACTIVE,
      type: CouponTypeFilter.GENERATED,
      usableByCustomerId: '7',
      page: { limit: 1, asc: false },
    })
    expect(response.headers.link).toContain(`${query}&after=5>; rel="next"`)
  })

  it.each(['', '?status=all&type=all', '?status=&type=&usable_by_customer_id='])(
    'applies no filter for %j',
    async (query) => {
      await gateway.newStore().send('GET', `/coupons${query}`)
      expect(gateway.received()).toMatchObject({
        status: CouponStatusFilter.UNSPECIFIED,
        type: CouponTypeFilter.UNSPECIFIED,
      })
      expect(Object.hasOwn(gateway.received(), 'usableByCustomerId')).toBe(false)
    },
  )

  it.each([
    ['status=enabled', 'status enum'],
    ['type=internal', 'type enum'],
    ['usable_by_customer_id=x', 'usable_by_customer_id format'],
    ['code=SUMMER', 'code enum'],
  ])('rejects %s', async (query, item) => {
    expect(itemsOf(await gateway.newStore().send('GET', `/coupons?${query}`))).toEqual([item])
  })
})

describe('a coupon', () => {
  it('is returned with every field, and null for absent values', async () => {
    const store = gateway.newStore()
    expect((await store.send('GET', '/coupons/5')).body).toEqual({
      id: '5',
      store_id: store.id,
      version_id: '7',
      ...Object.fromEntries(Object.keys(optional).map((name) => [name, null])),
      ...needed,
      discount_apply_before_sales: false,
      redeem_limit_customer_enabled: false,
      redeem_limit_customer_amount: 0,
      created_by: { type: 'api_key', id: store.keyId },
      created_at: '2026-11-20T14:35:17.042Z',
      updated_by: null,
      updated_at: null,
    })
  })

  it('is returned with every value that it has', async () => {
    const time = timestampFromDate(new Date('2026-11-20T15:00:00.000Z'))
    gateway.services.overrides.getCoupon = async () => ({
      coupon: {
        id: '5',
        storeId: '6',
        versionId: '7',
        duration: CouponDuration.REPEATING,
        durationInMonths: 3,
        discountType: CouponDiscountType.AMOUNT,
        discountAmount: 9007199254740991n,
        note: '',
        applyToProducts: ['5'],
        applyToTags: ['6'],
        usableByCustomerId: '7',
        usableAt: time,
        expiresAt: time,
        createdBy: { type: ActorType.INTERNAL },
        createdAt: time,
        updatedBy: { type: ActorType.USER, id: '6' },
        updatedAt: time,
      },
    })
    expect((await gateway.newStore().send('GET', '/coupons/5')).body).toMatchObject({
      duration: 'repeating',
      duration_in_months: 3,
      duration_in_intervals: null,
      discount_type: 'amount',
      discount_amount: 9007199254740991,
      note: '',
      apply_to_products: ['5'],
      apply_to_tags: ['6'],
      usable_by_customer_id: '7',
      usable_at: '2026-11-20T15:00:00.000Z',
      expires_at: '2026-11-20T15:00:00.000Z',
      created_by: { type: 'internal', id: null },
      updated_by: { type: 'user', id: '6' },
      updated_at: '2026-11-20T15:00:00.000Z',
    })
  })

  it('returns 204 for a DELETE', async () => {
    const couponId = newId()
    const response = await gateway.newStore().send('DELETE', `/coupons/${couponId}`)
    expect([response.status, response.text]).toEqual([204, ''])
    expect(gateway.received()).toMatchObject({ couponId })
  })
})
