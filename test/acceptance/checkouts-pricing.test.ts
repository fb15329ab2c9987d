import { expectFault, unknownId } from '@storekeep/test/kit'
import { describe, expect, it } from 'vitest'
import { item, monthly, openPricing } from './pricing.ts'

const { shop, order, priced } = await openPricing()

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
    const lines = [
      item(100, 1, { is_coupons_disabled: true }),
      item(100, 1, monthly),
      item(100, 1, monthly, { subscription: true }),
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
