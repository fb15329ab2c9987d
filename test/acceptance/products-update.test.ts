import { expectFault, fresh, openShop, type ProductBody, unknownId, useSharedSystem } from '@storekeep/test/kit'
import { describe, expect, it } from 'vitest'

const { createStore } = await useSharedSystem()
const store = await createStore()
const { product: newProduct, variable: newVariable } = openShop(store)
const variable = await newVariable()

const required = await newProduct()
const limitOf = (quantity: number) => {
  return { enabled: true, quantity, time_value: null, time_scale: null, include_trials: false }
}
const noLimit = { ...limitOf(0), enabled: false, quantity: null }

const clearable = {
  slug: null,
  description: null,
  label: null,
  subscription_interval_value: null,
  subscription_interval_scale: null,
  enabled_at: null,
  enabled_until: null,
  remove_after_time_value: null,
  remove_after_time_scale: null,
  image_url: null,
}
const full = () => ({
  slug: fresh.name(),
  description: 'Priority',
  label: 'New',
  subscription_interval_value: 1,
  subscription_interval_scale: 'month',
  tags: ['411486491630370830'],
  custom_variable_ids: [variable.id],
  enabled_at: '2026-12-01T00:00:00.000Z',
  enabled_until: '2027-01-01T00:00:00.000Z',
  metadata: { rank: 'vip' },
  commands: [
    {
      stage: 'on_purchase',
      content: 'grant {customer.steam.id} vip',
      online_only: false,
      override_execute_on_gameserver_ids: [],
      delay_seconds: 0,
      required_slots: 0,
    },
  ],
  remove_after_time_value: 1,
  remove_after_time_scale: 'month',
  store_stock_limit: limitOf(10),
  customer_stock_limit: { ...limitOf(1), time_value: 1, time_scale: 'day' },
  required_product_ids: [required.id],
  image_url: 'https://shop.example.com/vip.png',
})

describe('PATCH /products/{productId}', () => {
  it('changes only the fields sent and records who changed them', async () => {
    const before = await newProduct(full())
    const { status, body } = await store.patch<ProductBody>(`/products/${before.id}`, { price: 5, is_hidden: true })
    expect(status).toBe(200)
    expect(body).toEqual({
      ...before,
      price: 5,
      is_hidden: true,
      updated_by: { type: 'api_key', id: store.apiKeyId },
      updated_at: expect.any(String),
      version_id: expect.not.stringMatching(before.version_id),
    })
    expect(Date.parse(body.updated_at ?? '')).toBeGreaterThanOrEqual(Date.parse(before.created_at))
    expect((await store.get(`/products/${before.id}`)).body).toEqual(body)
  })

  it('sets every field', async () => {
    const { id } = await newProduct()
    const change = {
      ...full(),
      name: 'Renamed',
      price: 7,
      allow_one_time_purchase: false,
      allow_subscription: true,
      is_hidden: true,
      is_coupons_disabled: true,
      is_gifting_disabled: true,
      is_affiliate_links_disabled: true,
      single_game_server_only: true,
      remove_after_enabled: true,
      stock_limit_do_not_include_removed: true,
      required_product_all: true,
      allow_concurrent_active_items: false,
      enabled: false,
      sort_order: 7,
    }
    expect((await store.patch(`/products/${id}`, change)).body).toMatchObject(change)
  })

  it('clears optional fields with null', async () => {
    const { id } = await newProduct(full())
    const lists = ['tags', 'custom_variable_ids', 'gameservers', 'commands', 'required_product_ids'] as const
    const others = ['metadata', 'store_stock_limit', 'customer_stock_limit'] as const
    const change = { ...clearable, ...Object.fromEntries([...lists, ...others].map((name) => [name, null])) }
    const { body } = await store.patch<ProductBody>(`/products/${id}`, change)
    expect(body).toMatchObject({
      ...clearable,
      ...Object.fromEntries(lists.map((name) => [name, []])),
      metadata: {},
      store_stock_limit: noLimit,
      customer_stock_limit: noLimit,
    })
  })

  it('replaces whole lists and metadata', async () => {
    const { id } = await newProduct(full())
    const change = { tags: ['1', '2', '1'], metadata: { other: 'x' } }
    const { body } = await store.patch<ProductBody>(`/products/${id}`, change)
    expect(body).toMatchObject({ tags: ['1', '2'], metadata: { other: 'x' } })
    expect(Object.keys(body.metadata)).toEqual(['other'])
  })

  it.each([
    ['an empty body', {}],
    ['no body', undefined],
    ['only unknown fields', { stock: 3, id: '1' }],
  ])('changes nothing for %s, not even updated_at', async (_, change) => {
    const before = await newProduct(full())
    const { status, body } = await store.patch<ProductBody>(`/products/${before.id}`, change)
    expect(status).toBe(200)
    expect(body).toEqual(before)
  })

  it('keeps updated_at when all values are unchanged', async () => {
    const before = await newProduct(full())
    const { id, store_id, version_id, stock_available, created_by, created_at, updated_by, updated_at, ...fields } =
      before
    expect((await store.patch(`/products/${id}`, fields)).body).toEqual(before)
  })

  it('frees its slug when it takes another and accepts its own in another case', async () => {
    const slug = fresh.name()
    const { id } = await newProduct({ slug })
    expect((await store.patch(`/products/${id}`, { slug: slug.toUpperCase() })).status).toBe(200)
    expectFault(await store.post('/products', { name: 'x', price: 5, slug }), 'conflict')
    await store.patch(`/products/${id}`, { slug: null })
    const other = await newProduct({ slug })
    expectFault(await store.patch(`/products/${id}`, { slug }), 'conflict', ['slug unique'])
    expect(other.slug).toBe(slug)
  })
})

describe('PATCH /products/{productId} rejects', () => {
  it.each<[string, object, string[]]>([
    ['an invalid name', { name: '' }, ['name length']],
    ['removing the last kind of purchase', { allow_one_time_purchase: false }, ['allow_one_time_purchase']],
    ['an incomplete interval', { subscription_interval_value: null }, ['subscription_interval_value required']],
    ['an end before the start', { enabled_until: '2026-11-30T00:00:00Z' }, ['enabled_until min']],
    [
      'a command with an unknown variable',
      { commands: [{ stage: 'on_refund', content: '{variables.nick}', online_only: true }] },
      ['commands.0.content reference'],
    ],
    ['a start after the end', { enabled_at: '2027-01-01T00:00:00Z' }, ['enabled_until min']],
  ])('%s, and changes nothing', async (_, change, items) => {
    const before = await newProduct(full())
    const response = await store.patch(`/products/${before.id}`, { label: 'Changed', ...change })
    expectFault(response, 'validation-failed', items)
    expect((await store.get(`/products/${before.id}`)).body).toEqual(before)
  })

  it("unknown and deleted variables and another store's variables, each with its path", async () => {
    const before = await newProduct()
    const [deleted, foreign] = [await newVariable(), await openShop(await createStore()).variable()]
    await store.delete(`/custom-variables/${deleted.id}`)
    const change = { price: 5, custom_variable_ids: [unknownId, variable.id, deleted.id, foreign.id] }
    expectFault(await store.patch(`/products/${before.id}`, change), 'validation-failed', [
      'custom_variable_ids.0 reference',
      'custom_variable_ids.2 reference',
      'custom_variable_ids.3 reference',
    ])
    expect((await store.get(`/products/${before.id}`)).body).toEqual(before)
  })

  it('an unknown product, even when the body changes nothing', async () => {
    expectFault(await store.patch(`/products/${unknownId}`, { price: 1 }), 'not-found')
    expectFault(await store.patch(`/products/${unknownId}`, {}), 'not-found')
    expect((await store.patch('/products/abc', {})).status).toBe(400)
  })
})

describe('DELETE /products/{productId}', () => {
  it('removes the product, frees its slug, and returns 404 the second time', async () => {
    const { id, slug } = await newProduct(full())
    const { status, text } = await store.delete(`/products/${id}`)
    expect({ status, text }).toEqual({ status: 204, text: '' })
    expectFault(await store.get(`/products/${id}`), 'not-found')
    expectFault(await store.patch(`/products/${id}`, { price: 1 }), 'not-found')
    expectFault(await store.delete(`/products/${id}`), 'not-found')
    expect((await store.get<ProductBody[]>('/products')).body.map((one) => one.id)).not.toContain(id)
    await newProduct({ slug })
  })
})
