import {
  type CheckoutSessionBody,
  type CustomerBody,
  expectFault,
  fresh,
  openShop,
  unknownId,
  useSharedSystem,
} from '@storekeep/test/kit'
import { describe, expect, it } from 'vitest'

const { createStore } = await useSharedSystem()
const store = await createStore()
const shop = openShop(store)
const [product, customer] = await Promise.all([shop.product({ price: 1000 }), shop.customer()])
const line = { quantity: 1, product_id: product.id }
const least = { lines: [line], customer_id: customer.id }

describe('POST /checkouts', () => {
  it('returns id, token and URL, marked as not cacheable', async () => {
    const { status, body, headers } = await shop.order(least)
    expect(status).toBe(200)
    expect(body).toEqual({
      id: expect.stringMatching(/^[1-9]\d{17,18}$/),
      token: expect.stringMatching(/^[a-z2-7]{28}$/),
      url: `https://checkout.example.com/?t=${body.token}`,
    })
    expect(headers['cache-control']).toBe('no-store')
    expect((await shop.order(least)).body.token).not.toBe(body.token)
  })

  it('stores every field and returns the readable ones', async () => {
    const friend = await shop.customer()
    const input = {
      lines: [
        {
          ...line,
          quantity: 1000,
          gift_to_customer_id: friend.id,
          metadata: { note: 'for Ann 🦊' },
          payout_splits: [{ payout_id: 'a', percentage: 2500, platform_fee: 250 }, { payout_id: 'b' }],
        },
        line,
      ],
      customer_id: customer.id,
      return_url: 'https://shop.example.com/thanks?order=1#top',
      cancel_url: 'http://localhost:3000/cart',
      editable: true,
      auto_redirect: true,
      metadata: { order: '1' },
      customer_details: {
        billing_name: 'Robin',
        billing_email: ' Robin@example.com',
        billing_tax_id: 'DE123',
        billing_address: {
          country: 'DE',
          state: 'BE',
          city: 'Berlin',
          postal_code: '10115',
          line_1: 'Street 1',
          line_2: '',
        },
      },
    }
    const session = await shop.session(input)
    const plain = {
      product_id: product.id,
      name: product.name,
      unit_price: 1000,
      options_amount: 0,
      discount_amount: 0,
      ...{ net_amount: null, tax_amount: null, gross_amount: null, tax_rate: null, tax_name: null },
      subscription: false,
      gift_to_customer_id: null,
      selected_gameserver_id: null,
      payout_splits: [],
      custom_variables: {},
      metadata: {},
    }
    expect(session).toEqual({
      id: expect.any(String),
      store_id: store.id,
      customer_id: customer.id,
      status: 'open',
      currency: 'eur',
      lines: [
        {
          ...plain,
          quantity: 1000,
          total_amount: 1_000_000,
          gift_to_customer_id: friend.id,
          payout_splits: [
            { payout_id: 'a', percentage: 2500, platform_fee: 250 },
            { payout_id: 'b', percentage: null, platform_fee: null },
          ],
          metadata: { note: 'for Ann 🦊' },
        },
        { ...plain, quantity: 1, total_amount: 1000 },
      ],
      coupon_id: null,
      affiliate_link_id: null,
      subtotal_amount: 1_001_000,
      coupon_discount_amount: 0,
      affiliate_discount_amount: 0,
      discount_amount: 0,
      total_amount: 1_001_000,
      ...{ net_amount: null, tax_amount: null, tax_country: null, tax_rate: null, tax_name: null },
      ...{ tax_included: null, reverse_charge: null, tax_evidence: null },
      subscription: null,
      return_url: input.return_url,
      cancel_url: input.cancel_url,
      editable: true,
      metadata: { order: '1' },
      expires_at: expect.any(String),
      created_by: { type: 'api_key', id: store.apiKeyId },
      created_at: expect.any(String),
      completed_at: null,
      canceled_at: null,
      order_id: null,
    })
    expect(Date.parse(session.expires_at) - Date.parse(session.created_at)).toBe(24 * 3_600_000)
  })

  it('accepts null for every optional field', async () => {
    const nothing = {
      promo_codes: null,
      affiliate_code: null,
      return_url: null,
      cancel_url: null,
      auto_redirect: null,
      editable: null,
      metadata: null,
    }
    const ofLine = { subscription: null, trial: null, custom_variables: null, metadata: null, payout_splits: null }
    const session = await shop.session({ ...least, ...nothing, lines: [{ ...line, ...ofLine }] })
    expect(session).toMatchObject({ return_url: null, metadata: {}, lines: [{ custom_variables: {} }] })
  })

  it('sells an inline product', async () => {
    const inline = { name: 'Custom rank', price: 77, allow_subscription: true, tags: ['411486491630370830'] }
    const interval = { subscription_interval_value: 1, subscription_interval_scale: 'month' }
    const session = await shop.session({
      ...least,
      lines: [{ quantity: 3, subscription: true, inline_product: { ...inline, ...interval } }],
    })
    expect(session.lines).toMatchObject([
      { product_id: null, name: 'Custom rank', quantity: 3, unit_price: 77, total_amount: 231, subscription: true },
    ])
    expect(session.subscription).toEqual({ interval_value: 1, interval_scale: 'month', discounted_periods: null })
    expect((await store.get('/products')).body).not.toContainEqual(expect.objectContaining({ name: 'Custom rank' }))
  })

  it('accepts 100 lines', async () => {
    const session = await shop.session({ ...least, lines: Array(100).fill({ ...line, quantity: 10 }) })
    expect(session.lines).toHaveLength(100)
    expect(session.total_amount).toBe(1_000_000)
  })

  it('accepts an order of free products', async () => {
    const { id } = await shop.product({ price: 0 })
    expect(await shop.session({ ...least, lines: [{ quantity: 5, product_id: id }] })).toMatchObject({
      subtotal_amount: 0,
      total_amount: 0,
    })
  })

  it('sends a gift to an existing customer and creates one for an unknown player', async () => {
    const [known, stranger] = [fresh.steamId(), fresh.steamId()]
    const friend = await shop.customer({ steam_id: known })
    const gift = (id: string) => ({ ...line, gift_to: { platform: 'steam', id } })
    const { lines } = await shop.session({ ...least, lines: [gift(known), gift(stranger), gift(stranger)] })
    const [first, second, third] = lines.map((one) => one.gift_to_customer_id)
    expect(first).toBe(friend.id)
    const { body } = await store.get<CustomerBody>(`/customers/lookup?steam_id=${stranger}`)
    expect([second, third]).toEqual([body.id, body.id])
    const again = await shop.session({ ...least, lines: [gift(stranger)] })
    expect(again.lines[0]?.gift_to_customer_id).toBe(body.id)
  })

  it.each([
    ['minecraft_uuid', fresh.uuid(), 'minecraft_uuid'],
    ['xbox_xuid', fresh.xuid(), 'xbox_xuid'],
  ])('identifies recipients by %s', async (platform, id, lookup) => {
    const { lines } = await shop.session({ ...least, lines: [{ ...line, gift_to: { platform, id } }] })
    const { body } = await store.get<CustomerBody>(`/customers/lookup?${lookup}=${id}`)
    expect(lines[0]?.gift_to_customer_id).toBe(body.id)
  })

  it('sends a gift to a customer by id or name and creates none', async () => {
    const friend = await shop.customer()
    const gift = (platform: string, id: string) => ({ ...least, lines: [{ ...line, gift_to: { platform, id } }] })
    for (const [platform, id] of [
      ['service', friend.id],
      ['service_name', friend.name?.toUpperCase() ?? ''],
      ['paynow', friend.id],
      ['paynow_name', friend.name ?? ''],
    ] as const) {
      expect((await shop.session(gift(platform, id))).lines[0]?.gift_to_customer_id).toBe(friend.id)
    }
    for (const [platform, id] of [
      ['service', unknownId],
      ['service_name', fresh.name()],
    ] as const) {
      expectFault(await shop.order(gift(platform, id)), 'validation-failed', ['lines.0.gift_to.id reference'])
    }
  })

  it('sends a gift to a player of a Minecraft store by name', async () => {
    const minecraft = await createStore({ game: 'minecraft_offline' })
    const own = openShop(minecraft)
    const [rank, buyer] = [await own.product(), await own.customer()]
    const gift_to = { platform: 'minecraft', id: fresh.name() }
    const { lines } = await own.session({
      customer_id: buyer.id,
      lines: [{ quantity: 1, product_id: rank.id, gift_to }],
    })
    const signIn = await minecraft.shop<{ customer_token: string }>('POST', '/store/customer/auth', { json: gift_to })
    const me = await minecraft.shop<CustomerBody>('GET', '/store/customer', { token: signIn.body.customer_token })
    expect(lines[0]?.gift_to_customer_id).toBe(me.body.id)
  })

  it('keeps name and price when the product is changed or deleted', async () => {
    const { id, name } = await shop.product({ price: 500 })
    const before = await shop.session({ ...least, lines: [{ quantity: 2, product_id: id }] })
    await store.patch(`/products/${id}`, { name: 'Other', price: 900 })
    await store.delete(`/products/${id}`)
    const { body } = await store.get<CheckoutSessionBody>(`/checkouts/${before.id}`)
    expect(body).toEqual(before)
    expect(body.lines).toMatchObject([{ product_id: id, name, unit_price: 500 }])
  })

  it('returns the same secret for a repeated key and creates one session', async () => {
    const own = await createStore()
    const { product: make, customer: buyer, order } = openShop(own)
    const input = { customer_id: (await buyer()).id, lines: [{ quantity: 1, product_id: (await make()).id }] }
    const headers = { 'idempotency-key': fresh.idempotencyKey() }
    const first = await order(input, { headers })
    const again = await order(input, { headers })
    expect([again.status, again.text]).toEqual([200, first.text])
    expectFault(await order({ ...input, metadata: { a: 'b' } }, { headers }), 'idempotency-mismatch')
    const elsewhere = { ...headers, 'x-service-customer-ip': fresh.ip() }
    expect((await order(input, { headers: elsewhere })).text).toBe(first.text)
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => order(input, { headers: { 'idempotency-key': `${first.body.id}-at-once` } })),
    )
    const created = responses.filter(({ status }) => status === 200)
    expect(new Set(created.map(({ text }) => text)).size).toBe(1)
    for (const response of responses) if (response.status !== 200) expectFault(response, 'conflict')
    expect((await own.get<CheckoutSessionBody[]>('/checkouts')).body).toHaveLength(2)
  })
})

describe('the answers to custom variables', () => {
  it('are validated and stored with the line', async () => {
    const [text, number, color] = await Promise.all([
      shop.variable({ value_regex: '^[a-z]+$' }),
      shop.variable({ type: 'number' }),
      shop.variable({ type: 'dropdown', options: [option('red', 0, true), option('blue', 0)] }),
    ])
    const asking = await shop.product({ custom_variable_ids: [text.id, number.id, color.id] })
    const withAnswers = (custom_variables?: object) => ({
      ...least,
      lines: [line, { quantity: 1, product_id: asking.id, custom_variables }],
    })
    const right = { [text.identifier]: 'abc', [number.identifier]: 42 }
    const { lines } = await shop.session(withAnswers(right))
    expect(lines.map((one) => one.custom_variables)).toEqual([
      {},
      { [text.identifier]: 'abc', [number.identifier]: '42', [color.identifier]: 'red' },
    ])
    const chosen = await shop.session(withAnswers({ ...right, [color.identifier]: 'blue' }))
    expect(chosen.lines[1]?.custom_variables).toMatchObject({ [color.identifier]: 'blue' })

    const at = (identifier: string) => `lines.1.custom_variables.${identifier}`
    expectFault(await shop.order(withAnswers()), 'validation-failed', [
      `${at(text.identifier)} required`,
      `${at(number.identifier)} required`,
    ])
    const invalid = { [text.identifier]: 'ABC', [number.identifier]: 'x', [color.identifier]: 'green', other: 'x' }
    expectFault(await shop.order(withAnswers(invalid)), 'validation-failed', [
      `${at(text.identifier)} pattern`,
      `${at(number.identifier)} format`,
      `${at(color.identifier)} enum`,
      `${at('other')} reference`,
    ])
  })

  it('are validated for inline products too, whose variables must exist', async () => {
    const { id, identifier } = await shop.variable()
    const inline = (custom_variable_ids: string[], custom_variables: object) => ({
      ...least,
      lines: [{ quantity: 1, inline_product: { name: 'x', price: 5, custom_variable_ids }, custom_variables }],
    })
    const { lines } = await shop.session(inline([id], { [identifier]: 'abc' }))
    expect(lines[0]?.custom_variables).toEqual({ [identifier]: 'abc' })
    expectFault(await shop.order(inline([unknownId], {})), 'validation-failed', [
      'lines.0.inline_product.custom_variable_ids.0 reference',
    ])
  })

  function option(value: string, price: number, is_default = false) {
    return { name: value, value, price, price_type: 'fixed', is_default }
  }
})
