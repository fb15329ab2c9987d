import { expectFault, fresh, openShop, unknownId } from '@storekeep/test/kit'
import { describe, expect, it } from 'vitest'
import { item, monthly, openPricing } from './pricing.ts'

const { createStore, store, shop, order, priced } = await openPricing()

describe('an affiliate link', () => {
  it('is deducted from the remaining total once, after the coupon, and not per line', async () => {
    const coupon = await shop.coupon({ discount_amount: 500 })
    const link = await shop.affiliateLink({ discount_amount: 100 })
    const session = await shop.session(order([item(101), item(200)], { promo_codes: [link.code, coupon.code] }))
    expect(session).toMatchObject({
      coupon_id: coupon.id,
      affiliate_link_id: link.id,
      subtotal_amount: 301,
      coupon_discount_amount: 151,
      affiliate_discount_amount: 15,
      discount_amount: 166,
      total_amount: 135,
      lines: [
        { discount_amount: 51, total_amount: 50 },
        { discount_amount: 100, total_amount: 100 },
      ],
    })
  })

  it.each([
    ['nothing', { discount_type: 'none', discount_amount: 0 }, 0],
    ['an amount', { discount_type: 'fixed', discount_amount: 70 }, 70],
    ['at most the remaining total', { discount_type: 'fixed', discount_amount: 5000 }, 300],
    ['halves rounded up', { discount_type: 'percentage', discount_amount: 5 }, 2],
    ['all', { discount_type: 'percentage', discount_amount: 1000 }, 300],
  ])('deducts %s', async (_, fields, expected) => {
    const link = await shop.affiliateLink(fields)
    expect(await priced([item(100), item(100, 2)], { affiliate_code: link.code })).toEqual({
      lines: [
        [0, 100],
        [0, 200],
      ],
      coupon: 0,
      affiliate: expected,
      total: 300 - expected,
    })
  })

  it('excludes products with affiliate links disabled, and subscriptions unless it allows them', async () => {
    const lines = [
      item(100, 1, { is_affiliate_links_disabled: true }),
      item(100, 1, monthly),
      item(100, 1, monthly, { subscription: true }),
    ]
    const once = await shop.affiliateLink({ discount_amount: 500, apply_for_subscriptions: false })
    expect((await priced(lines, { affiliate_code: once.code })).affiliate).toBe(50)
    const always = await shop.affiliateLink({ discount_amount: 500 })
    expect((await priced(lines, { affiliate_code: always.code })).affiliate).toBe(100)
    const fixed = await shop.affiliateLink({ discount_type: 'fixed', discount_amount: 500 })
    expect((await priced(lines, { affiliate_code: fixed.code })).affiliate).toBe(200)
  })

  it('is found by its code, ignoring case, and applied once when it is named twice', async () => {
    const link = await shop.affiliateLink({ discount_amount: 500 })
    const session = await shop.session(
      order([item(100)], { promo_codes: [link.code.toUpperCase()], affiliate_code: link.code.toLowerCase() }),
    )
    expect(session).toMatchObject({ affiliate_link_id: link.id, affiliate_discount_amount: 50 })
  })

  it('that is unusable is ignored in affiliate_code', async () => {
    const disabled = await shop.affiliateLink({ enabled: false })
    const coupon = await shop.coupon()
    for (const affiliate_code of [fresh.code(), disabled.code, coupon.code, '', ' ', 'x'.repeat(300), '🦊']) {
      const session = await shop.session(order([item(100)], { affiliate_code }))
      expect(session).toMatchObject({ affiliate_link_id: null, coupon_id: null, total_amount: 100 })
    }
  })
})

describe('an unusable code or coupon', () => {
  const past = '2020-01-01T00:00:00Z'
  const future = '2099-01-01T00:00:00Z'

  it.each<[string, () => Promise<object>]>([
    ['coupon-disabled', async () => ({ enabled: false })],
    ['coupon-not-started', async () => ({ usable_at: future })],
    ['coupon-expired', async () => ({ usable_at: '2019-01-01T00:00:00Z', expires_at: past })],
    ['coupon-other-customer', async () => ({ usable_by_customer_id: (await shop.customer()).id })],
    ['coupon-below-minimum', async () => ({ minimum_order_value: 101 })],
    ['coupon-out-of-scope', async () => ({ apply_to_products: [unknownId] })],
    ['coupon-out-of-scope', async () => ({ apply_to_tags: [unknownId] })],
    ['coupon-out-of-scope', async () => ({ usable_on_one_time_purchase: false })],
  ])('is rejected with %s and the path where it was given', async (code, termsOf) => {
    const coupon = await shop.coupon(await termsOf())
    for (const [path, named] of [
      ['coupon_id', { coupon_id: coupon.id }],
      ['promo_codes.0', { promo_codes: [coupon.code] }],
    ] as const) {
      const { errors } = expectFault(await shop.order(order([item(100)], named)), 'validation-failed', [path])
      expect(errors).toMatchObject([{ code, path }])
    }
  })

  it('is rejected when no product in the order accepts coupons', async () => {
    const { id } = await shop.coupon()
    const response = await shop.order(order([item(100, 1, { is_coupons_disabled: true })], { coupon_id: id }))
    expect(expectFault(response, 'validation-failed').errors).toMatchObject([{ code: 'coupon-out-of-scope' }])
  })

  it('is rejected when its limit per store or per customer is reached', async () => {
    const once = await shop.coupon({ redeem_limit_store_enabled: true, redeem_limit_store_amount: 1 })
    await shop.session(order([item(100)], { promo_codes: [once.code] }))
    const exhausted = await shop.order(order([item(100)], { promo_codes: [once.code] }))
    expect(expectFault(exhausted, 'validation-failed', ['promo_codes.0']).errors).toMatchObject([
      { code: 'coupon-exhausted' },
    ])
    const each = await shop.coupon({ redeem_limit_customer_enabled: true, redeem_limit_customer_amount: 1 })
    await shop.session(order([item(100)], { coupon_id: each.id }))
    const again = await shop.order(order([item(100)], { coupon_id: each.id }))
    expect(expectFault(again, 'validation-failed', ['coupon_id']).errors).toMatchObject([
      { code: 'coupon-customer-limit' },
    ])
    const other = await shop.customer()
    await shop.session(order([item(100)], { coupon_id: each.id, customer_id: other.id }))
  })

  it('grants exactly its limit to concurrent orders', async () => {
    const coupon = await shop.coupon({ redeem_limit_store_enabled: true, redeem_limit_store_amount: 3 })
    const responses = await Promise.all(
      Array.from({ length: 12 }, () => shop.order(order([item(100)], { coupon_id: coupon.id }))),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([...Array(3).fill(200), ...Array(9).fill(400)])
  })

  it('counts once when the order is repeated with its key', async () => {
    const coupon = await shop.coupon({ redeem_limit_store_enabled: true, redeem_limit_store_amount: 2 })
    const headers = { 'idempotency-key': fresh.idempotencyKey() }
    const input = order([item(100)], { coupon_id: coupon.id })
    const first = await shop.order(input, { headers })
    expect((await shop.order(input, { headers })).text).toBe(first.text)
    expect((await shop.order(input)).status).toBe(200)
    expectFault(await shop.order(input), 'validation-failed', ['coupon_id'])
  })

  it('is rejected when it is unknown, deleted or of another store', async () => {
    const foreign = await openShop(await createStore()).coupon()
    const gone = await shop.coupon()
    await store.delete(`/coupons/${gone.id}`)
    for (const { id, code } of [foreign, gone, { id: unknownId, code: fresh.code() }]) {
      const response = await shop.order(order([item(100)], { coupon_id: id, promo_codes: [code] }))
      const { errors } = expectFault(response, 'validation-failed', ['coupon_id reference', 'promo_codes.0 reference'])
      expect(errors?.map((one) => one.code)).toEqual(['reference', 'reference'])
    }
  })

  it('is rejected as a disabled affiliate link in promo_codes', async () => {
    const link = await shop.affiliateLink({ enabled: false })
    const response = await shop.order(order([item(100)], { promo_codes: [link.code] }))
    expect(expectFault(response, 'validation-failed', ['promo_codes.0']).errors).toMatchObject([
      { code: 'affiliate-disabled' },
    ])
  })

  it('is rejected at its path as the second of its kind; the same one named twice counts once', async () => {
    const [one, other, ann, bob] = await Promise.all([
      shop.coupon(),
      shop.coupon(),
      shop.affiliateLink(),
      shop.affiliateLink(),
    ])
    const orderWith = (fields: object) => shop.order(order([item(100)], fields))
    const exclusive = async (fields: object, paths: string[]) =>
      expectFault(await orderWith(fields), 'validation-failed', paths)
    await exclusive({ promo_codes: [one.code, other.code] }, ['promo_codes.1 exclusive'])
    await exclusive({ coupon_id: one.id, promo_codes: [ann.code, other.code] }, ['promo_codes.1 exclusive'])
    await exclusive({ promo_codes: [ann.code, bob.code] }, ['promo_codes.1 exclusive'])
    await exclusive({ promo_codes: [ann.code], affiliate_code: bob.code }, ['affiliate_code exclusive'])
    const twice = { coupon_id: one.id, promo_codes: [one.code, one.code.toUpperCase(), ann.code, ann.code] }
    const session = await shop.session(order([item(100)], twice))
    expect(session).toMatchObject({ coupon_id: one.id, affiliate_link_id: ann.id, coupon_discount_amount: 10 })
  })
})
