import { expectFault, openShop, type ProductBody, unknownId, useSharedSystem } from '@storekeep/test/kit'
import { describe, expect, it } from 'vitest'

const { createStore } = await useSharedSystem()
const store = await createStore()
const { variable: newVariable, product: newProduct } = openShop(store)
const tag = '411486491630370830'
const { id: variable, identifier } = await newVariable()
const { id: required } = await newProduct()

const everything = {
  slug: 'VIP-rank-2',
  name: 'VIP rank 🦊',
  description: 'Priority in the queue,\nand a badge.',
  label: 'New',
  price: 1_000_000_000_000,
  allow_one_time_purchase: false,
  allow_subscription: true,
  subscription_interval_value: 365,
  subscription_interval_scale: 'day',
  tags: [tag],
  custom_variable_ids: [variable],
  is_hidden: true,
  is_coupons_disabled: true,
  is_gifting_disabled: true,
  is_affiliate_links_disabled: true,
  enabled_at: '2026-12-01T00:00:00.000Z',
  enabled_until: '2027-01-01T00:00:00.000Z',
  metadata: { rank: 'vip' },
  gameservers: [],
  single_game_server_only: false,
  commands: [
    {
      stage: 'on_purchase',
      content: `tellraw {customer.minecraft.name|@a} {"text":"{variables.${identifier}}"}`,
      online_only: true,
      override_execute_on_gameserver_ids: [],
      delay_seconds: 86_400,
      required_slots: 54,
    },
    {
      stage: 'on_chargeback',
      content: 'ban {customer.steam.id}',
      online_only: false,
      override_execute_on_gameserver_ids: [],
      delay_seconds: 0,
      required_slots: 0,
    },
  ],
  remove_after_enabled: true,
  remove_after_time_value: 10_000,
  remove_after_time_scale: 'month',
  store_stock_limit: {
    enabled: true,
    quantity: 1_000_000_000,
    time_value: null,
    time_scale: null,
    include_trials: true,
  },
  customer_stock_limit: { enabled: true, quantity: 3, time_value: 2, time_scale: 'week', include_trials: false },
  stock_limit_do_not_include_removed: true,
  required_product_ids: [required],
  required_product_all: true,
  allow_concurrent_active_items: false,
  image_url: 'https://shop.example.com/vip.png?size=2#a',
  enabled: false,
  sort_order: 1_000_000,
}

const limitOf = (quantity: number | null) => {
  return { enabled: true, quantity, time_value: null, time_scale: null, include_trials: false }
}
const command = { stage: 'on_purchase', content: 'say hi', online_only: false }
const interval = { subscription_interval_value: 1, subscription_interval_scale: 'month' }

describe('POST /products', () => {
  it('creates a product with every field and returns what a later read returns', async () => {
    const { status, body } = await store.post<ProductBody>('/products', everything)
    expect(status).toBe(200)
    expect(body).toEqual({
      ...everything,
      id: expect.stringMatching(/^[1-9]\d{17,18}$/),
      store_id: store.id,
      version_id: expect.stringMatching(/^[1-9]\d{17,18}$/),
      stock_available: { store_available: 1_000_000_000, customer_available: null },
      created_by: { type: 'api_key', id: store.apiKeyId },
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_by: null,
      updated_at: null,
    })
    expect(Math.abs(Date.parse(body.created_at) - Date.now())).toBeLessThan(60_000)
    expect((await store.get(`/products/${body.id}`)).body).toEqual(body)
  })

  it.each([
    ['a name of 128 characters', { name: '🦊'.repeat(128) }],
    ['a slug of 64 characters', { slug: 'x'.repeat(64) }],
    ['a description of 10,000 characters', { description: 'x'.repeat(10_000) }],
    ['100 tags', { tags: Array.from({ length: 100 }, (_, n) => String(n + 1)) }],
    ['both kinds of purchase', { allow_subscription: true, ...interval }],
    ['an interval without subscriptions', interval],
    ['only a start', { enabled_at: '2099-01-01T00:00:00.000Z' }],
    ['only an end in the past', { enabled_until: '2020-01-01T00:00:00.000Z' }],
    ['a disabled stock limit', { store_stock_limit: { ...limitOf(5), enabled: false } }],
    ['no concurrent items', { allow_concurrent_active_items: false }],
  ])('accepts %s', async (_, fields) => {
    const { status, body, text } = await store.post<ProductBody>('/products', { name: 'x', price: 5, ...fields })
    expect(status, text).toBe(200)
    expect(body).toMatchObject(fields)
  })

  it('accepts 50 variables', async () => {
    const variables = await Promise.all(Array.from({ length: 50 }, () => newVariable()))
    const custom_variable_ids = variables.map(({ id }) => id)
    const { body, text } = await store.post<ProductBody>('/products', { name: 'x', price: 5, custom_variable_ids })
    expect(body.custom_variable_ids, text).toEqual(custom_variable_ids)
  })

  it('ignores unknown and read-only fields', async () => {
    const { body } = await store.post<ProductBody>('/products', {
      name: 'x',
      price: 5,
      id: '1',
      store_id: '1',
      created_by: { type: 'admin', id: '1' },
      stock: 7,
    })
    expect(body).toMatchObject({ store_id: store.id, created_by: { type: 'api_key' } })
    expect(body.id).not.toBe('1')
    expect(body).not.toHaveProperty('stock')
  })
})

describe('POST /products rejects', () => {
  it.each<[string, unknown, string[]]>([
    ['no body', undefined, ['name required', 'price required']],
    ['no kind of purchase', { name: 'x', price: 5, allow_one_time_purchase: false }, ['allow_one_time_purchase']],
    [
      'subscriptions without an interval',
      { name: 'x', price: 5, allow_subscription: true },
      ['subscription_interval_scale required', 'subscription_interval_value required'],
    ],
    [
      'an end equal to the start',
      { name: 'x', price: 5, enabled_at: '2027-01-01T00:00:00Z', enabled_until: '2027-01-01T00:00:00Z' },
      ['enabled_until min'],
    ],
  ])('%s', async (_, input, items) => {
    expectFault(await store.post('/products', input), 'validation-failed', items)
  })

  it.each<[string, object, string[]]>([
    [
      'an unknown placeholder',
      { commands: [{ ...command, content: 'ban {customer.nmae}' }] },
      ['commands.0.content pattern'],
    ],
    [
      'a variable that the product does not have',
      { commands: [command, { ...command, content: 'say {variables.nick}' }] },
      ['commands.1.content reference'],
    ],
    [
      'an incomplete command',
      { commands: [{ content: 'x' }] },
      ['commands.0.stage required', 'commands.0.online_only required'],
    ],
    ['an unknown game server', { gameservers: [unknownId] }, ['gameservers.0 reference']],
    [
      'a command for an unknown game server',
      { commands: [{ ...command, override_execute_on_gameserver_ids: [unknownId] }] },
      ['commands.0.override_execute_on_gameserver_ids.0 reference'],
    ],
    [
      'a removal without a time',
      { remove_after_enabled: true },
      ['remove_after_time_value', 'remove_after_time_scale'],
    ],
    ['a limit without a quantity', { store_stock_limit: limitOf(null) }, ['store_stock_limit.quantity required']],
    ['an unknown required product', { required_product_ids: [unknownId] }, ['required_product_ids.0 reference']],
  ])('%s', async (_, fields, items) => {
    expectFault(await store.post('/products', { name: 'x', price: 5, ...fields }), 'validation-failed', items)
  })

  it("unknown variables and another store's variables, each with its path", async () => {
    const foreign = await openShop(await createStore()).variable()
    const custom_variable_ids = [unknownId, variable, foreign.id]
    expectFault(await store.post('/products', { name: 'x', price: 5, custom_variable_ids }), 'validation-failed', [
      'custom_variable_ids.0 reference',
      'custom_variable_ids.2 reference',
    ])
  })

  it('a taken slug, ignoring case; other stores can use it', async () => {
    const [own, other] = await Promise.all([createStore(), createStore()])
    await own.post('/products', { name: 'First', price: 5, slug: 'vip' })
    const response = await own.post('/products', { name: 'Second', price: 5, slug: 'ViP' })
    expectFault(response, 'conflict', ['slug unique'])
    expect((await other.post('/products', { name: 'Other', price: 5, slug: 'vip' })).status).toBe(200)
    expect((await own.get<ProductBody[]>('/products')).body).toHaveLength(1)
  })
})
