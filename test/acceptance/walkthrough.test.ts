import {
  type CheckoutSessionBody,
  type CustomerBody,
  expectFault,
  fresh,
  openShop,
  type ProductBody,
  useSharedSystem,
} from '@storekeep/test/kit'
import { expect, it } from 'vitest'

const { createStore } = await useSharedSystem()

it('a store owner opens a store, sells, bans a customer, lifts the ban and revokes all tokens', async () => {
  const store = await createStore()
  const shop = openShop(store)

  // Products with options.
  const color = await shop.variable({
    identifier: 'color',
    name: 'Name color',
    type: 'dropdown',
    options: [
      { name: 'White', value: 'white', price: 0, price_type: 'fixed', is_default: true },
      { name: 'Gold', value: 'gold', price: 100, price_type: 'percentage', is_default: false },
    ],
  })
  const text = await shop.variable({ identifier: 'greeting', name: 'Greeting', value_regex: '^[A-Za-z ]{1,20}$' })
  const ranks = '411486491630370830'
  const vip = await shop.product({
    slug: 'vip',
    name: 'VIP rank',
    price: 2000,
    tags: [ranks],
    custom_variable_ids: [color.id, text.id],
  })
  const crate = await shop.product({ slug: 'crate', name: 'Loot crate', price: 333 })
  const club = await shop.product({
    slug: 'club',
    name: 'Club',
    price: 500,
    allow_one_time_purchase: false,
    allow_subscription: true,
    subscription_interval_value: 1,
    subscription_interval_scale: 'month',
  })
  expectFault(await store.post('/products', { name: 'Again', price: 1, slug: 'VIP' }), 'conflict', ['slug unique'])

  // A coupon and an affiliate link.
  const coupon = await shop.coupon({
    code: 'OPENING',
    discount_amount: 250,
    apply_to_tags: [ranks],
    redeem_limit_customer_enabled: true,
    redeem_limit_customer_amount: 1,
  })
  const link = await shop.affiliateLink({ code: 'ann', discount_type: 'fixed', discount_amount: 50 })

  // The store's server verifies Robin and signs him in.
  const steam_id = fresh.steamId()
  expectFault(await store.get(`/customers/lookup?steam_id=${steam_id}`), 'not-found')
  const robin = await shop.customer({ steam_id, name: 'Robin' })
  const { body: minted } = await store.post<{ token: string }>(`/customers/${robin.id}/tokens`)
  const me = () => store.shop<CustomerBody>('GET', '/store/customer', { token: minted.token })
  expect((await me()).body).toEqual(robin)

  // While Robin is banned by mistake, every order fails.
  const friendId = fresh.steamId()
  const order = {
    customer_id: robin.id,
    lines: [
      { quantity: 1, product_id: vip.id, custom_variables: { color: 'gold', greeting: 'Hello there' } },
      {
        quantity: 3,
        product_id: crate.id,
        gift_to: { platform: 'steam', id: friendId },
        metadata: { wrapped: 'yes' },
      },
      { quantity: 1, product_id: club.id, subscription: true },
    ],
    promo_codes: ['opening'],
    affiliate_code: 'ANN',
    return_url: 'https://shop.example.com/thanks',
    auto_redirect: true,
    metadata: { cart: '42' },
  }
  const headers = { 'idempotency-key': fresh.idempotencyKey() }
  const ban = await shop.ban('steam', steam_id)
  expectFault(await shop.order(order, { headers }), 'customer-banned')
  expect((await store.post<{ is_banned: boolean }>('/bans/check', { identities: [steamBan(steam_id)] })).body).toEqual({
    is_banned: true,
    ban_id: ban.id,
  })
  expect((await store.delete(`/bans/${ban.id}`)).status).toBe(204)

  // An order with an invalid greeting fails, then a valid one succeeds.
  const rude = structuredClone(order)
  rude.lines[0] = { quantity: 1, product_id: vip.id, custom_variables: { color: 'gold', greeting: '<script>' } }
  expectFault(await shop.order(rude), 'validation-failed', ['lines.0.custom_variables.greeting pattern'])
  const checkout = await shop.order(order, { headers })
  expect(checkout.status, checkout.text).toBe(200)
  expect((await shop.order(order, { headers })).text).toBe(checkout.text)

  // Read back: 2000 + 10 %, minus 25 %; the rest at full price; then minus 50 for Ann's link.
  const { body: session } = await store.get<CheckoutSessionBody>(`/checkouts/${checkout.body.id}`)
  const { body: friend } = await store.get<CustomerBody>(`/customers/lookup?steam_id=${friendId}`)
  expect(session).toMatchObject({
    customer_id: robin.id,
    status: 'open',
    currency: 'eur',
    coupon_id: coupon.id,
    affiliate_link_id: link.id,
    subtotal_amount: 2200 + 999 + 500,
    coupon_discount_amount: 550,
    affiliate_discount_amount: 50,
    discount_amount: 600,
    total_amount: 3099,
    metadata: { cart: '42' },
    lines: [
      {
        product_id: vip.id,
        unit_price: 2200,
        options_amount: 200,
        discount_amount: 550,
        total_amount: 1650,
        custom_variables: { color: 'gold', greeting: 'Hello there' },
      },
      {
        product_id: crate.id,
        quantity: 3,
        unit_price: 333,
        total_amount: 999,
        gift_to_customer_id: friend.id,
        metadata: { wrapped: 'yes' },
      },
      { product_id: club.id, subscription: true, total_amount: 500 },
    ],
  })
  expect((await store.get(`/checkouts?customer_id=${robin.id}&status=open`)).body).toEqual([session])

  // The coupon is limited to one use per customer; the friend can still use it.
  const exhausted = await shop.order({ ...order, lines: [order.lines[0]] })
  expect(expectFault(exhausted, 'validation-failed', ['promo_codes.0']).errors).toMatchObject([
    { code: 'coupon-customer-limit' },
  ])
  expect(await shop.session({ ...order, customer_id: friend.id, lines: [order.lines[0]] })).toMatchObject({
    coupon_id: coupon.id,
  })

  // A price change does not affect the open session.
  const { body: dearer } = await store.patch<ProductBody>(`/products/${vip.id}`, { price: 2500, label: 'Popular' })
  expect(dearer).toMatchObject({ price: 2500, label: 'Popular', slug: 'vip' })
  expect((await store.get(`/checkouts/${session.id}`)).body).toEqual(session)

  // All tokens are revoked.
  expect((await store.delete(`/customers/${robin.id}/tokens`)).status).toBe(204)
  expectFault(await me(), 'unauthorized')
})

function steamBan(ban_type_value: string) {
  return { ban_type: 'steam', ban_type_value }
}
