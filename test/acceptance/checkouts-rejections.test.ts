import { expectFault, fresh, openShop, unknownId, useSharedSystem } from '@storekeep/test/kit'
import { describe, expect, it } from 'vitest'

const { createStore } = await useSharedSystem()
const store = await createStore()
const shop = openShop(store)
const [product, customer] = await Promise.all([shop.product({ price: 1000 }), shop.customer()])
const line = { quantity: 1, product_id: product.id }
const least = { lines: [line], customer_id: customer.id }

describe('POST /checkouts rejects', () => {
  it.each<[string, unknown, string[]]>([
    ['no body', undefined, ['lines required', 'customer_id required']],
    ['no product', { ...least, lines: [{ quantity: 1 }] }, ['lines.0.product_id required']],
    [
      'an inline product without a kind of purchase',
      { ...least, lines: [{ quantity: 1, inline_product: { name: 'x', price: 5, allow_one_time_purchase: false } }] },
      ['lines.0.inline_product.allow_one_time_purchase'],
    ],
    [
      'a subscription as a gift',
      { ...least, lines: [{ ...line, subscription: true, gift_to: { platform: 'steam', id: fresh.steamId() } }] },
      ['lines.0.gift_to exclusive'],
    ],
    [
      'a subscription as a gift to a customer',
      { ...least, lines: [{ ...line, subscription: true, gift_to_customer_id: customer.id }] },
      ['lines.0.gift_to_customer_id exclusive'],
    ],
    [
      'a gift to an invalid player name',
      { ...least, lines: [{ ...line, gift_to: { platform: 'steam', id: '5' } }] },
      ['lines.0.gift_to.id'],
    ],
    [
      'payout splits of more than 100 %',
      {
        ...least,
        lines: [
          {
            ...line,
            payout_splits: [
              { payout_id: 'a', percentage: 6000 },
              { payout_id: 'b', percentage: 4001 },
            ],
          },
        ],
      },
      ['lines.0.payout_splits.1.percentage max'],
    ],
    ['auto_redirect without a return URL', { ...least, auto_redirect: true }, ['return_url required']],
  ])('%s', async (_, input, items) => {
    expectFault(await store.post('/checkouts', input), 'validation-failed', items)
  })

  it("an unknown customer and another store's customer", async () => {
    const foreign = await openShop(await createStore()).customer()
    for (const customer_id of [unknownId, foreign.id]) {
      expectFault(await shop.order({ ...least, customer_id }), 'validation-failed', ['customer_id reference'])
    }
  })

  it('all unknown references together', async () => {
    const foreign = openShop(await createStore())
    const [theirs, stranger] = [await foreign.product(), await foreign.customer()]
    const gone = await shop.product()
    await store.delete(`/products/${gone.id}`)
    const unsold = [theirs.id, unknownId, gone.id, product.id].map((product_id) => ({ quantity: 1, product_id }))
    const response = await shop.order({
      lines: [...unsold, { ...line, gift_to_customer_id: stranger.id }],
      customer_id: customer.id,
      coupon_id: unknownId,
      promo_codes: [fresh.code()],
    })
    expectFault(response, 'validation-failed', [
      'lines.0.product_id reference',
      'lines.1.product_id reference',
      'lines.2.product_id reference',
      'lines.4.gift_to_customer_id reference',
      'coupon_id reference',
      'promo_codes.0 reference',
    ])
  })

  it('products that are not on sale or not for this kind of purchase', async () => {
    const interval = { subscription_interval_value: 1, subscription_interval_scale: 'month' }
    const products = await Promise.all([
      shop.product({ enabled_at: '2099-01-01T00:00:00Z' }),
      shop.product({ enabled_until: '2020-01-01T00:00:00Z' }),
      shop.product({ allow_one_time_purchase: false, allow_subscription: true, ...interval }),
      shop.product(),
      shop.product({ is_gifting_disabled: true }),
    ])
    const fields = [{}, {}, {}, { subscription: true }, { gift_to_customer_id: customer.id }]
    const lines = products.map(({ id }, index) => ({ quantity: 1, product_id: id, ...fields[index] }))
    expectFault(await shop.order({ ...least, lines }), 'validation-failed', [
      'lines.0.product_id',
      'lines.1.product_id',
      'lines.2.subscription',
      'lines.3.subscription',
      'lines.4.gift_to_customer_id',
    ])
    expect(await shop.session({ ...least, lines: [{ ...lines[2], subscription: true }] })).toMatchObject({
      lines: [{ subscription: true }],
    })
  })

  it('a total above the largest safe integer', async () => {
    const { id } = await shop.product({ price: 1_000_000_000_000 })
    const most = { quantity: 1000, product_id: id }
    expect((await shop.session({ ...least, lines: Array(9).fill(most) })).total_amount).toBe(9e15)
    expectFault(await shop.order({ ...least, lines: Array(10).fill(most) }), 'validation-failed', ['lines'])
  })

  it('an order without storing any part of it', async () => {
    const own = await createStore()
    const { customer: buyer, order } = openShop(own)
    expectFault(await order({ ...least, customer_id: (await buyer()).id }), 'validation-failed')
    expect((await own.get('/checkouts')).body).toEqual([])
  })
})
