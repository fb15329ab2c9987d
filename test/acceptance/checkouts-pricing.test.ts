import { expectFault, fresh, openShop, unknownId, useSharedSystem } from '@storekeep/test/kit'
import { describe, expect, it } from 'vitest'

const { createStore } = await useSharedSystem()
const store = await createStore()
const shop = openShop(store)
const buyer = await shop.customer()

const interval = { subscription_interval_value: 1, subscription_interval_scale: 'month' }

/** A line with an inline product, `quantity` times `price`. */
function item(price: number, quantity = 1, terms: object = {}, fields: object = {}) {
  return { quantity, inline_product: { name: 'x', price, ...terms }, ...fields }
}

function order(lines: object[], fields: object = {}) {
  return { lines, customer_id: buyer.id, ...fields }
}

/** The amounts that most tests compare: per line, then for the order. */
async function priced(lines: object[], fields: object = {}) {
  const session = await shop.session(order(lines, fields))
  return {
    lines: session.lines.map(({ discount_amount, total_amount }) => [discount_amount, total_amount]),
    coupon: session.coupon_discount_amount,
    affiliate: session.affiliate_discount_amount,
    total: session.total_amount,
  }
}

describe('a percentage coupon', () => {
  it.each([
    [1, 1000, 1],
    [499, 1, 0],
    [500, 1, 1],
    [1499, 1, 1],
    [1500, 1, 2],
    [999, 125, 125],
    [1004, 125, 126],
    [996, 125, 125],
    [333, 1000, 333],
    [1_000_000_000_000, 999, 999_000_000_000],
  ])('on a price of %i at %i per mille deducts %i, rounding half up', async (price, discount_amount, expected) => {
    const { id } = await shop.coupon({ discount_amount })
    const { lines, coupon, total } = await priced([item(price)], { coupon_id: id })
    expect({ lines, coupon, total }).toEqual({
      lines: [[expected, price - expected]],
      coupon: expected,
      total: price - expected,
    })
  })

  it('rounds once per line', async () => {
    const { id } = await shop.coupon({ discount_amount: 500 })
    expect(await priced([item(1, 3), item(1), item(1)], { coupon_id: id })).toEqual({
      lines: [
        [2, 1],
        [1, 0],
        [1, 0],
      ],
      coupon: 4,
      affiliate: 0,
      total: 1,
    })
  })
})

describe('a fixed-amount coupon', () => {
  it('is deducted once and spread over the lines by largest remainder, ties to the earlier line', async () => {
    const { id } = await shop.coupon({ discount_type: 'amount', discount_amount: 100 })
    expect(await priced([item(100), item(100), item(100)], { coupon_id: id })).toEqual({
      lines: [
        [34, 66],
        [33, 67],
        [33, 67],
      ],
      coupon: 100,
      affiliate: 0,
      total: 200,
    })
    expect((await priced([item(10, 10), item(250), item(51)], { coupon_id: id })).lines).toEqual([
      [25, 75],
      [62, 188],
      [13, 38],
    ])
  })

  it('never deducts more than the price of the line', async () => {
    const { id } = await shop.coupon({ discount_type: 'amount', discount_amount: 10_000 })
    expect(await priced([item(100), item(0), item(7, 3)], { coupon_id: id })).toEqual({
      lines: [
        [100, 0],
        [0, 0],
        [21, 0],
      ],
      coupon: 121,
      affiliate: 0,
      total: 0,
    })
  })

  it('that applies individually is deducted once per unit, up to the price of the line', async () => {
    const { id } = await shop.coupon({
      discount_type: 'amount',
      discount_amount: 30,
      discount_apply_individually: true,
    })
    expect(await priced([item(100, 3), item(20, 2), item(30)], { coupon_id: id })).toEqual({
      lines: [
        [90, 210],
        [40, 0],
        [30, 0],
      ],
      coupon: 160,
      affiliate: 0,
      total: 210,
    })
  })
})

describe('the scope of a coupon', () => {
  it('is the union of its products and its tags', async () => {
    const [byProduct, other] = await Promise.all([shop.product({ price: 100 }), shop.product({ price: 100 })])
    const tag = byProduct.id
    const { id } = await shop.coupon({
      discount_amount: 500,
      apply_to_products: [byProduct.id],
      apply_to_tags: [tag],
    })
    const lines = [
      { quantity: 1, product_id: byProduct.id },
      { quantity: 1, product_id: other.id },
      item(100, 1, { tags: [tag, unknownId] }),
      item(100),
    ]
    expect((await priced(lines, { coupon_id: id })).lines).toEqual([
      [50, 50],
      [0, 100],
      [50, 50],
      [0, 100],
    ])
  })

  it('limits the lines over which an amount is spread', async () => {
    const tag = '411486491630370830'
    const { id } = await shop.coupon({ discount_type: 'amount', discount_amount: 100, apply_to_tags: [tag] })
    const tagged = { tags: [tag] }
    expect((await priced([item(60, 1, tagged), item(500), item(20, 1, tagged)], { coupon_id: id })).lines).toEqual([
      [60, 0],
      [0, 500],
      [20, 0],
    ])
  })

  it('excludes products with coupons disabled and purchase kinds that the coupon does not allow', async () => {
    const { id: once } = await shop.coupon({ discount_amount: 500, usable_on_subscription: false })
    const { id: subscribed } = await shop.coupon({ discount_amount: 500, usable_on_one_time_purchase: false })
    const both = { allow_subscription: true, ...interval }
    const lines = [
      item(100, 1, { is_coupons_disabled: true }),
      item(100, 1, both),
      item(100, 1, both, { subscription: true }),
    ]
    expect((await priced(lines, { coupon_id: once })).lines.map(([discount]) => discount)).toEqual([0, 50, 0])
    expect((await priced(lines, { coupon_id: subscribed })).lines.map(([discount]) => discount)).toEqual([0, 0, 50])
  })
})

describe('the minimum order value', () => {
  it('is compared with the subtotal, before any discount', async () => {
    const { id } = await shop.coupon({ discount_amount: 500, minimum_order_value: 1000 })
    expect((await priced([item(400), item(600, 1, { is_coupons_disabled: true })], { coupon_id: id })).coupon).toBe(200)
    const response = await shop.order(order([item(999)], { coupon_id: id }))
    expect(expectFault(response, 'validation-failed', ['coupon_id']).errors).toMatchObject([
      { code: 'coupon-below-minimum' },
    ])
  })
})

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
    const both = { allow_subscription: true, ...interval }
    const lines = [
      item(100, 1, { is_affiliate_links_disabled: true }),
      item(100, 1, both),
      item(100, 1, both, { subscription: true }),
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

describe('options of custom variables', () => {
  const option = (value: string, price: number, price_type = 'fixed') => ({
    name: value,
    value,
    price,
    price_type,
    is_default: value === 'none',
  })
  const orderWith = (...options: object[]) =>
    shop.variable({ type: 'dropdown', options: [option('none', 0), option('free', 0), ...options] })

  it('are added to the unit price as amounts or per mille of the product price', async () => {
    const [size, color] = await Promise.all([
      orderWith(option('large', 150)),
      orderWith(option('gold', 125, 'percentage')),
    ])
    const { id } = await shop.product({ price: 999, custom_variable_ids: [size.id, color.id] })
    const line = (answers: object) => ({ quantity: 3, product_id: id, custom_variables: answers })
    const session = await shop.session(
      order([
        line({}),
        line({ [size.identifier]: 'large' }),
        line({ [color.identifier]: 'gold' }),
        line({ [size.identifier]: 'large', [color.identifier]: 'gold' }),
      ]),
    )
    const prices = session.lines.map(({ unit_price, options_amount, total_amount }) => [
      unit_price,
      options_amount,
      total_amount,
    ])
    expect(prices).toEqual([
      [999, 0, 2997],
      [1149, 150, 3447],
      [1124, 125, 3372],
      [1274, 275, 3822],
    ])
    expect(session.subtotal_amount).toBe(2997 + 3447 + 3372 + 3822)
  })

  it('below 0 reduce the price, rounding away from zero, but never below 0', async () => {
    const variable = await orderWith(option('minus', -100), option('half', -500, 'percentage'), option('all', -5000))
    const { id } = await shop.product({ price: 301, custom_variable_ids: [variable.id] })
    const lines = ['minus', 'half', 'all'].map((response) => ({
      quantity: 2,
      product_id: id,
      custom_variables: { [variable.identifier]: response },
    }))
    const session = await shop.session(order(lines))
    expect(session.lines).toMatchObject([
      { unit_price: 201, options_amount: -100, total_amount: 402 },
      { unit_price: 150, options_amount: -151, total_amount: 300 },
      { unit_price: 0, options_amount: -301, total_amount: 0 },
    ])
    expect(session.total_amount).toBe(702)
  })

  it('are included in the amount that a coupon discounts', async () => {
    const variable = await orderWith(option('plus', 50))
    const coupon = await shop.coupon({ discount_amount: 500 })
    const terms = { custom_variable_ids: [variable.id] }
    const line = item(100, 2, terms, { custom_variables: { [variable.identifier]: 'plus' } })
    expect((await priced([line], { coupon_id: coupon.id })).lines).toEqual([[150, 150]])
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
