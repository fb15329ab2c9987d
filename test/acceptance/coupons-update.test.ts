import { type CouponBody, type CustomerBody, expectFault, fresh, unknownId, useSharedSystem } from '@storekeep/test/kit'
import { describe, expect, it } from 'vitest'
import { newCoupon, requiredFields } from './coupon-input.ts'

const { createStore, operator } = await useSharedSystem()
const store = await createStore()

async function createCoupon(change: object = {}, of = store): Promise<CouponBody> {
  const { body, status, text } = await of.post<CouponBody>('/coupons', newCoupon(change))
  expect(status, text).toBe(200)
  return body
}

describe('PATCH /coupons/{couponId}', () => {
  it.each([
    { enabled: false },
    { code: fresh.couponCode() },
    { note: 'Other' },
    { note: '' },
    { duration: 'forever' },
    { duration: 'repeating', duration_in_months: 2 },
    { duration: 'repeating', duration_in_intervals: 2 },
    { discount_type: 'amount' },
    { discount_amount: 999 },
    { discount_apply_individually: true },
    { discount_apply_before_sales: true },
    { apply_to_products: ['7', '6'] },
    { apply_to_tags: ['8'] },
    { minimum_order_value: 5 },
    { redeem_limit_store_enabled: true, redeem_limit_store_amount: 5 },
    { redeem_limit_customer_amount: 6 },
    { usable_on_one_time_purchase: false },
    { usable_on_subscription: false },
    { usable_at: '2026-01-01T00:00:00.000Z' },
    { expires_at: '2020-01-01T00:00:00.000Z' },
  ])('changes only %o and records who changed it and when', async (change) => {
    const before = await createCoupon()
    const { status, body } = await store.patch<CouponBody>(`/coupons/${before.id}`, change)
    expect(status).toBe(200)
    expect(body).toEqual({
      ...before,
      ...change,
      version_id: expect.not.stringMatching(before.version_id),
      updated_by: { type: 'api_key', id: store.apiKeyId },
      updated_at: expect.stringMatching(/Z$/),
    })
    expect(Math.abs(Date.parse(body.updated_at ?? '') - Date.now())).toBeLessThan(60_000)
    expect((await store.get(`/coupons/${before.id}`)).body).toEqual(body)
  })

  it('clears optional fields with null', async () => {
    const customer = await store.post<CustomerBody>('/customers', { name: fresh.name() })
    const cleared = {
      note: null,
      apply_to_products: null,
      apply_to_tags: null,
      usable_by_customer_id: null,
      usable_at: null,
      expires_at: null,
    }
    const before = await createCoupon({
      note: 'x',
      apply_to_products: ['7'],
      apply_to_tags: ['8'],
      usable_by_customer_id: customer.body.id,
      usable_at: '2026-01-01T00:00:00Z',
      expires_at: '2030-01-01T00:00:00Z',
    })
    expect(before).toMatchObject({ usable_by_customer_id: customer.body.id, apply_to_tags: ['8'] })
    const { body } = await store.patch<CouponBody>(`/coupons/${before.id}`, cleared)
    expect(body).toMatchObject(cleared)
  })

  it('switches between months, intervals and no duration', async () => {
    const { id } = await createCoupon({ duration: 'repeating', duration_in_months: 3 })
    const path = `/coupons/${id}`
    const other = { duration_in_months: null, duration_in_intervals: 4 }
    expect((await store.patch(path, other)).body).toMatchObject({ duration: 'repeating', ...other })
    const none = { duration: 'once', duration_in_intervals: null }
    expect((await store.patch(path, none)).body).toMatchObject({ ...none, duration_in_months: null })
  })

  it.each(['{}', 'the same values'])('changes nothing for %s', async (what) => {
    const before = await createCoupon({ apply_to_tags: ['8', '7'], expires_at: '2030-01-01T00:00:00Z' })
    const { code, discount_amount, expires_at, apply_to_tags, note } = before
    const same = { code: ` ${code} `, discount_amount, expires_at, apply_to_tags, note }
    const { status, body } = await store.patch(`/coupons/${before.id}`, what === '{}' ? {} : same)
    expect(status).toBe(200)
    expect(body).toEqual(before)
  })

  it('accepts its own code in another case and a freed code', async () => {
    const [one, other] = [await createCoupon(), await createCoupon()]
    const lower = one.code.toLowerCase()
    expect((await store.patch<CouponBody>(`/coupons/${one.id}`, { code: lower })).body.code).toBe(lower)
    expectFault(await store.patch(`/coupons/${other.id}`, { code: one.code }), 'conflict', ['code unique'])
    await store.patch(`/coupons/${one.id}`, { code: fresh.couponCode() })
    expect((await store.patch(`/coupons/${other.id}`, { code: one.code })).status).toBe(200)
  })
})

describe('PATCH /coupons/{couponId} rejects', () => {
  it.each(Object.keys(requiredFields()))('null for %s', async (name) => {
    const { id } = await createCoupon()
    expectFault(await store.patch(`/coupons/${id}`, { note: 'x', [name]: null }), 'validation-failed', [name])
    expect((await store.get<CouponBody>(`/coupons/${id}`)).body.updated_at).toBeNull()
  })

  it.each<[string, object, object, string[]]>([
    ['values that are invalid on create', {}, { discount_amount: 0, code: '' }, ['discount_amount min', 'code']],
    [
      'the type percent with an amount above 100 %',
      { discount_type: 'amount', discount_amount: 5000 },
      { discount_type: 'percent' },
      ['discount_amount max'],
    ],
    ['the duration repeating without a length', {}, { duration: 'repeating' }, ['duration_in_months required']],
    [
      'a second length',
      { duration: 'repeating', duration_in_months: 3 },
      { duration_in_intervals: 2 },
      ['duration_in_intervals exclusive'],
    ],
    [
      'another duration than repeating with a length',
      { duration: 'repeating', duration_in_months: 3 },
      { duration: 'once' },
      ['duration_in_months exclusive'],
    ],
    [
      'clearing the only length',
      { duration: 'repeating', duration_in_months: 3 },
      { duration_in_months: null },
      ['duration_in_months required'],
    ],
    ['enabling a limit of 0', {}, { redeem_limit_store_enabled: true }, ['redeem_limit_store_amount min']],
    [
      'lowering an enabled limit to 0',
      { redeem_limit_store_enabled: true, redeem_limit_store_amount: 1 },
      { redeem_limit_store_amount: 0 },
      ['redeem_limit_store_amount min'],
    ],
    [
      'an end before the start',
      { usable_at: '2027-01-01T00:00:00Z' },
      { expires_at: '2026-12-31T23:59:59Z' },
      ['expires_at min'],
    ],
    [
      'a start after the end',
      { expires_at: '2027-01-01T00:00:00Z' },
      { usable_at: '2027-01-01T00:00:00Z' },
      ['expires_at min'],
    ],
    [
      'removing the last kind of purchase',
      { usable_on_subscription: false },
      { usable_on_one_time_purchase: false },
      ['usable_on_one_time_purchase required'],
    ],
    ['an unknown customer', {}, { usable_by_customer_id: unknownId }, ['usable_by_customer_id reference']],
  ])('%s', async (_what, terms, change, items) => {
    const before = await createCoupon(terms)
    expectFault(await store.patch(`/coupons/${before.id}`, change), 'validation-failed', items)
    expect((await store.get(`/coupons/${before.id}`)).body).toEqual(before)
  })

  it('an unknown id, a malformed one, and one of another store', async () => {
    const foreign = await createCoupon({}, await createStore())
    expectFault(await store.patch(`/coupons/${unknownId}`, { note: 'x' }), 'not-found')
    expectFault(await store.patch(`/coupons/${unknownId}`, {}), 'not-found')
    expectFault(await store.patch(`/coupons/${foreign.id}`, { note: 'Mine' }), 'not-found')
    expect((await store.patch('/coupons/abc', {})).status).toBe(400)
  })
})

describe('DELETE /coupons/{couponId}', () => {
  it('removes the coupon permanently and frees its code', async () => {
    const { id, code } = await createCoupon()
    const { status, text } = await store.delete(`/coupons/${id}`)
    expect([status, text]).toEqual([204, ''])
    expectFault(await store.get(`/coupons/${id}`), 'not-found')
    expectFault(await store.patch(`/coupons/${id}`, { note: 'x' }), 'not-found')
    expectFault(await store.delete(`/coupons/${id}`), 'not-found')
    expect((await store.get<CouponBody[]>('/coupons')).body.map((coupon) => coupon.id)).not.toContain(id)
    expect((await createCoupon({ code })).id).not.toBe(id)
  })

  it('and PATCH require the write scope', async () => {
    const { id } = await createCoupon()
    const { key } = await operator.createKey(store.id, { scopes: ['coupons:read'] })
    const headers = { authorization: `APIKey ${key}` }
    expectFault(await store.patch(`/coupons/${id}`, { note: 'x' }, { headers }), 'forbidden')
    expectFault(await store.delete(`/coupons/${id}`, { headers }), 'forbidden')
    expect((await store.get(`/coupons/${id}`, { headers })).status).toBe(200)
    expect((await store.get('/coupons', { headers })).status).toBe(200)
  })
})
