import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { errors } from '@storekeep/common/errors'
import { IntervalScale } from '@storekeep/proto/checkout/v1/product'
import { imageKey } from '@storekeep/proto/conventions/image-address'
import { CustomVariableType, PriceType } from '@storekeep/proto/custom_variables/v1/custom_variable'
import { describe, expect, it } from 'vitest'
import { itemsOf, useGateway } from './harness.ts'
import { newId } from './ids.ts'

const gateway = useGateway()
const paths = ['/v1/store/products', '/v1/store/products/vip-rank', '/v1/store/tags']

function read(path: string, headers: Record<string, string> = {}, storeId = gateway.newStore().id) {
  return gateway.request('GET', path, { headers: { 'x-service-store-id': storeId, ...headers } })
}

describe.each(paths)('GET %s', (path) => {
  it('is cacheable by browsers and CDNs, for each store', async () => {
    const { status, headers } = await read(path)
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=30, stale-while-revalidate=60',
      vary: 'x-service-store-id, x-paynow-store-id',
      etag: expect.stringMatching(/^"[\w-]{22}"$/),
      'content-type': 'application/json',
      'access-control-allow-origin': '*',
    })
    expect(headers['access-control-expose-headers']).toContain('etag, link')
  })

  it('answers a request that names the current tag with 304, and any other with the content', async () => {
    const { id } = gateway.newStore()
    const first = await read(path, {}, id)
    const etag = String(first.headers.etag)
    const again = await read(path, { 'if-none-match': `"other", W/${etag}` }, id)
    expect({ status: again.status, text: again.text, etag: again.headers.etag }).toEqual({
      status: 304,
      text: '',
      etag,
    })
    expect(again.headers['cache-control']).toBe(first.headers['cache-control'])
    const changed = await read(path, { 'if-none-match': '"other"' }, id)
    expect({ status: changed.status, text: changed.text }).toEqual({ status: 200, text: first.text })
  })

  it('calls the services once for many requests to a store', async () => {
    const { id } = gateway.newStore()
    const before = gateway.services.calls.length
    await Promise.all(Array.from({ length: 10 }, () => read(path, {}, id)))
    const calls = gateway.services.calls.slice(before).filter(({ name }) => /Catalog|Tags/.test(name))
    expect(calls).toHaveLength(1)
    const other = gateway.newStore().id
    await read(path, {}, other)
    expect(gateway.services.calls.filter(({ call }) => call.storeId === other).length).toBeGreaterThan(0)
  })

  it('lets no cache keep an error', async () => {
    gateway.services.overrides.getStore = () => Promise.reject(errors.notFound('store'))
    const { status, headers } = await read(path)
    expect({ status, cache: headers['cache-control'] }).toEqual({ status: 404, cache: 'no-store' })
  })
})

describe('GET /v1/store/products', () => {
  it('passes the query to the service', async () => {
    await read('/v1/store/products?tag=Ranks&search=VIP&limit=7&after=5&before=9')
    const { request } = gateway.services.calls.findLast(({ name }) => name === 'listCatalogProducts') ?? {}
    expect(request).toMatchObject({ tag: 'Ranks', search: 'VIP', limit: 7, after: '5', before: '9' })
  })

  it('links to the next and the previous page', async () => {
    gateway.services.overrides.listCatalogProducts = async () => ({
      products: [
        { id: '5', name: 'a' },
        { id: '3', name: 'b' },
      ],
      page: { hasNext: true, hasPrevious: true },
    })
    const { headers } = await read('/v1/store/products?after=7&tag=ranks')
    expect(headers.link).toMatch(
      /products\?after=3&tag=ranks>; rel="next", <.*products\?tag=ranks&before=5>; rel="prev"/,
    )
  })

  it.each([
    ['limit=101', ['limit max']],
    ['after=x', ['after format']],
    ['tag=a%20b', ['tag pattern']],
    [`search=${'x'.repeat(201)}`, ['search length']],
    ['asc=true', ['asc enum']],
  ])('rejects %s', async (query, items) => {
    expect(itemsOf(await read(`/v1/store/products?${query}`))).toEqual(items)
  })

  it('limits searches per address, and nothing else', async () => {
    const { headers } = await read('/v1/store/products?search=a')
    expect(headers['ratelimit-policy']).toContain('"catalog-search-address";q=300')
    expect((await read('/v1/store/products')).headers['ratelimit-policy']).toBeUndefined()
  })
})

describe('a product of the catalog', () => {
  const [variable, server, disabled, other] = [newId(), newId(), newId(), newId()]
  const imageUrl = 'https://shop.example.com/vip.png'

  it('is returned with the copy of its image, and null for absent values', async () => {
    const { id } = gateway.newStore()
    gateway.services.overrides.listCatalogProducts = async () => ({
      products: [{ id: '5', name: 'VIP rank', price: 999n, allowOneTimePurchase: true, imageUrl }],
      page: {},
    })
    expect((await read('/v1/store/products', {}, id)).body).toEqual([
      {
        id: '5',
        slug: null,
        name: 'VIP rank',
        description: null,
        label: null,
        image_url: expect.stringMatching(new RegExp(`^https?://.*/images/${id}/${imageKey(imageUrl)}/512\\.webp$`)),
        price: 999,
        currency: 'eur',
        allow_one_time_purchase: true,
        allow_subscription: false,
        subscription_interval_value: null,
        subscription_interval_scale: null,
        tags: [],
        custom_variable_ids: [],
        is_gifting_disabled: false,
        single_game_server_only: false,
        enabled_until: null,
        remove_after_time_value: null,
        remove_after_time_scale: null,
        stock_available: null,
        required_product_ids: [],
        required_product_all: false,
        allow_concurrent_active_items: false,
        sort_order: 0,
      },
    ])
  })

  it('has the questions and the game servers that buyers choose from', async () => {
    const product = {
      id: '5',
      name: 'Kit',
      price: 1n,
      slug: 'kit',
      allowSubscription: true,
      subscriptionIntervalValue: 3,
      subscriptionIntervalScale: IntervalScale.MONTH,
      customVariableIds: [newId(), variable],
      singleGameServerOnly: true,
      gameServerIds: [server, disabled],
      enabledUntil: timestampFromDate(new Date('2027-01-01T00:00:00Z')),
      removeAfterEnabled: true,
      removeAfterTimeValue: 2,
      removeAfterTimeScale: IntervalScale.WEEK,
      stockAvailable: 7n,
      sortOrder: 3,
    }
    const options = [{ id: '1', name: 'Red', value: 'red', price: -5n, priceType: PriceType.FIXED, isDefault: true }]
    Object.assign(gateway.services.overrides, {
      getCatalogProduct: async () => ({ product }),
      listCustomVariables: async () => ({
        customVariables: [
          { id: variable, identifier: 'color', name: 'Color', type: CustomVariableType.DROPDOWN, options },
          { id: other, identifier: 'unused', name: 'Unused', type: CustomVariableType.TEXT },
        ],
      }),
      listGameServers: async () => ({
        gameServers: [
          { id: server, name: 'Survival', enabled: true },
          { id: disabled, name: 'Closed', enabled: false },
          { id: other, name: 'Creative', enabled: true },
        ],
      }),
    })
    expect((await read('/v1/store/products/kit')).body).toMatchObject({
      slug: 'kit',
      subscription_interval_value: 3,
      subscription_interval_scale: 'month',
      enabled_until: '2027-01-01T00:00:00.000Z',
      remove_after_time_value: 2,
      remove_after_time_scale: 'week',
      stock_available: 7,
      sort_order: 3,
      custom_variables: [
        {
          id: variable,
          identifier: 'color',
          name: 'Color',
          description: '',
          type: 'dropdown',
          value_regex: null,
          options: [{ name: 'Red', value: 'red', price: -5, price_type: 'fixed', is_default: true }],
        },
      ],
      gameservers: [{ id: server, name: 'Survival' }],
    })
  })
})

describe('GET /v1/store/tags', () => {
  it('returns the enabled tags in their order', async () => {
    const tag = (id: string, sortOrder: number, enabled = true) => ({ id, name: `Tag ${id}`, sortOrder, enabled })
    gateway.services.overrides.listTags = async () => ({
      tags: [
        tag('9', 1),
        { ...tag('8', 0), imageUrl: 'https://shop.example.com/a.png' },
        tag('7', 1),
        tag('6', 0, false),
      ],
    })
    const { body } = await read('/v1/store/tags')
    expect(body).toMatchObject([{ id: '8' }, { id: '7' }, { id: '9' }])
    expect((body as object[])[0]).toEqual({
      id: '8',
      name: 'Tag 8',
      slug: null,
      image_url: expect.stringContaining('/images/'),
      sort_order: 0,
    })
  })
})
