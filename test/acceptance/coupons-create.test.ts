import { type CouponBody, type CustomerBody, expectFault, fresh, unknownId, useSharedSystem } from '@storekeep/test/kit'
import { describe, expect, it } from 'vitest'
import { newCoupon, nothingMore, requiredFields } from './coupon-input.ts'

const { createStore } = await useSharedSystem()
const store = await createStore()

async function createCustomer(of = store): Promise<string> {
  return (await of.post<CustomerBody>('/customers', { name: fresh.name() })).body.id
}

describe('POST /coupons', () => {
  it('creates a coupon with every field and returns all of them', async () => {
    const input = {
      ...requiredFields(),
      note: 'For the fair 🦊',
      duration: 'repeating',
      duration_in_months: 3,
      duration_in_intervals: null,
      discount_type: 'amount',
      discount_amount: 9007199254740991,
      discount_apply_individually: true,
      discount_apply_before_sales: true,
      apply_to_products: ['9223372036854775807', '411486491630370816'],
      apply_to_tags: ['7'],
      usable_by_customer_id: await createCustomer(),
      minimum_order_value: 1,
      redeem_limit_store_enabled: true,
      redeem_limit_store_amount: 9007199254740991,
      redeem_limit_customer_enabled: true,
      redeem_limit_customer_amount: 1,
      usable_at: '2026-01-01T00:00:00.001Z',
      expires_at: '2030-01-01T00:00:00.999Z',
    }
    const { status, body } = await store.post<CouponBody>('/coupons', input)
    expect(status).toBe(200)
    const id = expect.stringMatching(/^[1-9]\d{17,18}$/)
    expect(body).toEqual({
      ...input,
      id,
      version_id: id,
      store_id: store.id,
      created_by: { type: 'api_key', id: store.apiKeyId },
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_by: null,
      updated_at: null,
    })
    expect(Math.abs(Date.parse(body.created_at) - Date.now())).toBeLessThan(60_000)
    expect((await store.get(`/coupons/${body.id}`)).body).toEqual(body)
  })

  it('accepts absent and null for optional fields and returns null for them', async () => {
    for (const rest of [{}, nothingMore, { apply_to_products: [], apply_to_tags: [] }]) {
      const needed = requiredFields()
      const { status, body } = await store.post<CouponBody>('/coupons', { ...needed, ...rest })
      expect(status).toBe(200)
      expect(body).toMatchObject({ ...needed, ...nothingMore })
    }
  })

  it.each([
    { duration: 'forever' },
    { duration: 'repeating', duration_in_intervals: 1 },
    { discount_amount: 1 },
    { discount_amount: 1000 },
    { discount_type: 'amount', discount_amount: 1 },
    { enabled: false },
    { usable_on_subscription: false },
    { expires_at: '2020-01-01T00:00:00.000Z' },
    { code: '🦊'.repeat(64) },
  ])('accepts %o', async (change) => {
    const { status, body } = await (await createStore()).post<CouponBody>('/coupons', newCoupon(change))
    expect(status).toBe(200)
    expect(body).toMatchObject(change)
  })

  it('trims the code, keeps its case, and removes duplicate ids', async () => {
    const code = fresh.couponCode()
    const change = { code: `\t ${code} \n`, apply_to_tags: ['7', '8', '7'] }
    const { body } = await store.post<CouponBody>('/coupons', newCoupon(change))
    expect(body).toMatchObject({ code, apply_to_tags: ['7', '8'] })
  })

  it('ignores unknown and read-only fields', async () => {
    const foreign = { id: '7', store_id: '8', version_id: '9', created_at: '2020-01-01T00:00:00Z', unheard_of: 1 }
    const { status, body } = await store.post<CouponBody>('/coupons', newCoupon(foreign))
    expect(status).toBe(200)
    expect(body.store_id).toBe(store.id)
    expect([body.id, body.version_id]).not.toEqual(['7', '9'])
    expect(body).not.toHaveProperty('unheard_of')
  })

  it('allows one coupon per code and store regardless of case', async () => {
    const { body } = await store.post<CouponBody>('/coupons', newCoupon())
    for (const code of [body.code, body.code.toLowerCase(), ` ${body.code} `]) {
      expectFault(await store.post('/coupons', newCoupon({ code })), 'conflict', ['code unique'])
    }
    const other = await createStore()
    expect((await other.post('/coupons', newCoupon({ code: body.code }))).status).toBe(200)
  })

  it('applies defaults to everything but the code and the discount', async () => {
    const least = { code: fresh.couponCode(), discount_type: 'percent', discount_amount: 125 }
    const { status, body } = await store.post<CouponBody>('/coupons', least)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      ...least,
      enabled: true,
      duration: 'once',
      discount_apply_individually: false,
      discount_apply_before_sales: false,
      minimum_order_value: 0,
      redeem_limit_store_enabled: false,
      redeem_limit_store_amount: 0,
      redeem_limit_customer_enabled: false,
      redeem_limit_customer_amount: 0,
      usable_on_one_time_purchase: true,
      usable_on_subscription: true,
    })
  })
})

describe('POST /coupons rejects', () => {
  it.each(['code', 'discount_type', 'discount_amount'])('a coupon without %s', async (name) => {
    const others = Object.fromEntries(Object.entries(requiredFields()).filter(([field]) => field !== name))
    expectFault(await store.post('/coupons', others), 'validation-failed', [`${name} required`])
  })

  it.each(Object.keys(requiredFields()))('null for %s', async (name) => {
    expectFault(await store.post('/coupons', { ...requiredFields(), [name]: null }), 'validation-failed', [name])
  })

  it.each<[string, object, string[]]>([
    ['more than 100 %', { discount_amount: 1001 }, ['discount_amount max']],
    ['a repeating coupon without a length', { duration: 'repeating' }, ['duration_in_months required']],
    [
      'a repeating coupon with both lengths',
      { duration: 'repeating', duration_in_months: 1, duration_in_intervals: 1 },
      ['duration_in_intervals exclusive'],
    ],
    ['a length for a coupon that does not repeat', { duration_in_months: 1 }, ['duration_in_months exclusive']],
    ['an enabled limit of 0 for the store', { redeem_limit_store_enabled: true }, ['redeem_limit_store_amount min']],
    [
      'an enabled limit of 0 for customers',
      { redeem_limit_customer_enabled: true },
      ['redeem_limit_customer_amount min'],
    ],
    [
      'a coupon without a kind of purchase',
      { usable_on_one_time_purchase: false, usable_on_subscription: false },
      ['usable_on_one_time_purchase required'],
    ],
    [
      'a coupon that expires when it starts',
      { usable_at: '2027-01-01T00:00:00Z', expires_at: '2027-01-01T01:00:00+01:00' },
      ['expires_at min'],
    ],
    ['an unknown customer', { usable_by_customer_id: unknownId }, ['usable_by_customer_id reference']],
    [
      'several invalid fields, all reported',
      { code: '', discount_amount: -1, usable_at: 'x', apply_to_tags: 'x' },
      ['code', 'discount_amount min', 'usable_at format', 'apply_to_tags type'],
    ],
    [
      'several conflicting fields, all reported',
      { duration_in_months: 1, redeem_limit_store_enabled: true },
      ['duration_in_months exclusive', 'redeem_limit_store_amount min'],
    ],
  ])('%s', async (_what, change, items) => {
    expectFault(await store.post('/coupons', newCoupon(change)), 'validation-failed', items)
  })

  it('a customer of another store', async () => {
    const foreign = await createCustomer(await createStore())
    const response = await store.post('/coupons', newCoupon({ usable_by_customer_id: foreign }))
    expectFault(response, 'validation-failed', ['usable_by_customer_id reference'])
  })
})
