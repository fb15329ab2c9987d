import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { CommandStage, IntervalScale } from '@storekeep/proto/checkout/v1/product'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import { describe, expect, it } from 'vitest'
import { itemsOf, useGateway } from './harness.ts'
import { newId } from './ids.ts'

const gateway = useGateway()
const least = { name: 'VIP rank', price: 999 }
const [tag, variable, server] = [newId(), newId(), newId()]
const command = { stage: 'on_purchase', content: 'say hi', online_only: false }
const limit = { enabled: true, quantity: 5 }

const everything = {
  slug: 'VIP-rank-2',
  name: 'VIP rank',
  description: 'Priority',
  label: 'New',
  price: 1_000_000_000_000,
  allow_one_time_purchase: false,
  allow_subscription: true,
  subscription_interval_value: 3,
  subscription_interval_scale: 'month',
  tags: [tag],
  custom_variable_ids: [variable],
  is_hidden: true,
  is_coupons_disabled: true,
  is_gifting_disabled: true,
  is_affiliate_links_disabled: true,
  enabled_at: '2026-12-01T00:00:00Z',
  enabled_until: '2027-01-01T00:00:00Z',
  metadata: { rank: 'vip' },
  gameservers: [server],
  single_game_server_only: true,
  commands: [
    {
      stage: 'on_renew',
      content: 'say {customer.name}',
      online_only: true,
      override_execute_on_gameserver_ids: [server],
      delay_seconds: 5,
      required_slots: 2,
    },
  ],
  remove_after_enabled: true,
  remove_after_time_value: 30,
  remove_after_time_scale: 'day',
  store_stock_limit: { enabled: true, quantity: 100, time_value: 1, time_scale: 'year', include_trials: true },
  customer_stock_limit: { enabled: false, quantity: null, time_value: null, time_scale: null, include_trials: false },
  stock_limit_do_not_include_removed: true,
  required_product_ids: [tag],
  required_product_all: true,
  allow_concurrent_active_items: false,
  image_url: 'https://shop.example.com/vip.png',
  enabled: false,
  sort_order: 7,
}

const clearable = [
  'slug',
  'description',
  'label',
  'subscription_interval_value',
  'subscription_interval_scale',
  'tags',
  'custom_variable_ids',
  'enabled_at',
  'enabled_until',
  'metadata',
  'gameservers',
  'commands',
  'remove_after_time_value',
  'remove_after_time_scale',
  'store_stock_limit',
  'customer_stock_limit',
  'required_product_ids',
  'image_url',
]
const booleans = [
  'allow_one_time_purchase',
  'allow_subscription',
  'is_hidden',
  'is_coupons_disabled',
  'is_gifting_disabled',
  'is_affiliate_links_disabled',
  'single_game_server_only',
  'remove_after_enabled',
  'stock_limit_do_not_include_removed',
  'required_product_all',
  'allow_concurrent_active_items',
  'enabled',
]

/** Fields with an invalid value, and its violations. */
const invalidFields: [object, string[]][] = [
  [{ name: '' }, ['name length']],
  [{ name: 'x'.repeat(129) }, ['name length']],
  [{ name: 5 }, ['name type']],
  [{ name: null }, ['name type']],
  [{ price: null }, ['price type']],
  [{ price: '999' }, ['price type']],
  [{ price: 9.99 }, ['price type']],
  [{ price: -1 }, ['price min']],
  [{ price: 1_000_000_000_001 }, ['price max']],
  [{ slug: '' }, ['slug pattern']],
  [{ slug: 'vip rank' }, ['slug pattern']],
  [{ slug: '-vip' }, ['slug pattern']],
  [{ slug: 'vip-' }, ['slug pattern']],
  [{ slug: 'vip--rank' }, ['slug pattern']],
  [{ slug: 'x'.repeat(65) }, ['slug length']],
  [{ description: 'x'.repeat(10_001) }, ['description length']],
  [{ label: 'x'.repeat(129) }, ['label length']],
  [{ allow_subscription: 'yes' }, ['allow_subscription type']],
  [{ is_hidden: 1 }, ['is_hidden type']],
  [{ subscription_interval_value: 0 }, ['subscription_interval_value min']],
  [{ subscription_interval_value: 366 }, ['subscription_interval_value max']],
  [{ subscription_interval_scale: 'hour' }, ['subscription_interval_scale enum']],
  [{ tags: tag }, ['tags type']],
  [{ tags: [tag, 'x', 5] }, ['tags.1 format', 'tags.2 type']],
  [{ tags: Array(101).fill(tag) }, ['tags length']],
  [{ custom_variable_ids: ['0'] }, ['custom_variable_ids.0 format']],
  [{ custom_variable_ids: Array(51).fill(variable) }, ['custom_variable_ids length']],
  [{ enabled_at: 'soon' }, ['enabled_at format']],
  [{ enabled_at: '2027-02-30T00:00:00Z' }, ['enabled_at format']],
  [{ enabled_until: 5 }, ['enabled_until type']],
  [{ metadata: { rank: 5 } }, ['metadata.rank type']],
  [{ gameservers: ['x'] }, ['gameservers.0 format']],
  [{ gameservers: Array(101).fill(tag) }, ['gameservers length']],
  [{ commands: [{}] }, ['commands.0.stage required', 'commands.0.content required', 'commands.0.online_only required']],
  [{ commands: [{ ...command, stage: 'on_login' }] }, ['commands.0.stage enum']],
  [{ commands: [{ ...command, content: 'x'.repeat(2001) }] }, ['commands.0.content length']],
  [{ commands: [{ ...command, delay_seconds: 86_401 }] }, ['commands.0.delay_seconds max']],
  [{ commands: [{ ...command, required_slots: -1 }] }, ['commands.0.required_slots min']],
  [{ commands: Array(51).fill(command) }, ['commands length']],
  [{ remove_after_time_value: 10_001 }, ['remove_after_time_value max']],
  [{ remove_after_time_scale: 'year' }, ['remove_after_time_scale enum']],
  [{ store_stock_limit: 5 }, ['store_stock_limit type']],
  [{ store_stock_limit: { ...limit, quantity: -1 } }, ['store_stock_limit.quantity min']],
  [{ customer_stock_limit: { ...limit, time_value: 0 } }, ['customer_stock_limit.time_value min']],
  [{ required_product_ids: Array(51).fill(tag) }, ['required_product_ids length']],
  [{ allow_concurrent_active_items: 'no' }, ['allow_concurrent_active_items type']],
  [{ image_url: 'http://shop.example.com/vip.png' }, ['image_url format']],
  [{ image_url: `https://shop.example.com/${'x'.repeat(2048)}` }, ['image_url length']],
  [{ sort_order: -1 }, ['sort_order min']],
  [{ sort_order: 1_000_001 }, ['sort_order max']],
  [{ metadata: { ['k'.repeat(65)]: '' } }, [`metadata.${'k'.repeat(65)} length`]],
]

describe('POST /products', () => {
  it('passes every field to the service', async () => {
    expect((await gateway.newStore().send('POST', '/products', { json: everything })).status).toBe(200)
    expect(gateway.received().product).toMatchObject({
      slug: 'VIP-rank-2',
      name: 'VIP rank',
      description: 'Priority',
      label: 'New',
      price: 1_000_000_000_000n,
      allowOneTimePurchase: false,
      allowSubscription: true,
      subscriptionIntervalValue: 3,
      subscriptionIntervalScale: IntervalScale.MONTH,
      tags: [tag],
      customVariableIds: [variable],
      isHidden: true,
      isCouponsDisabled: true,
      isGiftingDisabled: true,
      isAffiliateLinksDisabled: true,
      enabledAt: timestampFromDate(new Date('2026-12-01T00:00:00Z')),
      enabledUntil: timestampFromDate(new Date('2027-01-01T00:00:00Z')),
      metadata: { rank: 'vip' },
      gameServerIds: [server],
      singleGameServerOnly: true,
      commands: [
        {
          stage: CommandStage.ON_RENEW,
          content: 'say {customer.name}',
          onlineOnly: true,
          overrideExecuteOnGameserverIds: [server],
          delaySeconds: 5,
          requiredSlots: 2,
        },
      ],
      removeAfterEnabled: true,
      removeAfterTimeValue: 30,
      removeAfterTimeScale: IntervalScale.DAY,
      storeStockLimit: {
        enabled: true,
        quantity: 100n,
        timeValue: 1,
        timeScale: IntervalScale.YEAR,
        includeTrials: true,
      },
      customerStockLimit: { enabled: false, includeTrials: false },
      stockLimitDoNotIncludeRemoved: true,
      requiredProductIds: [tag],
      requiredProductAll: true,
      allowConcurrentActiveItems: false,
      imageUrl: 'https://shop.example.com/vip.png',
    })
    expect(gateway.received()).toMatchObject({ enabled: false, sortOrder: 7 })
  })

  it.each([
    ['absent', {}],
    ['null', Object.fromEntries([...clearable, ...booleans].map((name) => [name, null]))],
  ])('accepts %s fields other than name and price', async (_, rest) => {
    expect((await gateway.newStore().send('POST', '/products', { json: { ...least, ...rest } })).status).toBe(200)
    const product = gateway.received().product as object
    expect(product).toMatchObject({
      name: 'VIP rank',
      price: 999n,
      allowOneTimePurchase: true,
      allowSubscription: false,
      isHidden: false,
      tags: [],
      customVariableIds: [],
      metadata: {},
      gameServerIds: [],
      commands: [],
      removeAfterEnabled: false,
      // Stores that do not know the field can sell a product twice.
      allowConcurrentActiveItems: true,
    })
    for (const name of ['slug', 'label', 'subscriptionIntervalValue', 'enabledAt', 'storeStockLimit']) {
      expect(Object.hasOwn(product, name), name).toBe(false)
    }
  })

  it.each(invalidFields)('rejects %j', async (wrong, items) => {
    const response = await gateway.newStore().send('POST', '/products', { json: { ...least, ...wrong } })
    expect(itemsOf(response)).toEqual(items)
  })

  it('names every missing and invalid field', async () => {
    const json = { slug: '-', is_hidden: 'no', tags: ['x'] }
    const items = itemsOf(await gateway.newStore().send('POST', '/products', { json }))
    expect(items.sort()).toEqual(
      ['is_hidden type', 'name required', 'price required', 'slug pattern', 'tags.0 format'].sort(),
    )
  })
})

describe('PATCH /products/{productId}', () => {
  it.each<[string, object, string[]]>([
    ['no field', {}, []],
    ['one field', { price: 5 }, ['price']],
    ['every field', everything, Object.keys(everything)],
    ['null for nullable fields', Object.fromEntries(clearable.map((name) => [name, null])), clearable],
  ])('updates %s', async (_, json, paths) => {
    const productId = newId()
    expect((await gateway.newStore().send('PATCH', `/products/${productId}`, { json })).status).toBe(200)
    const { updateMask, ...request } = gateway.received() as { updateMask: { paths: string[] } }
    expect(request).toMatchObject({ productId })
    expect(updateMask.paths.sort()).toEqual([...paths].sort())
  })

  it.each(invalidFields)('rejects %j', async (wrong, items) => {
    expect(itemsOf(await gateway.newStore().send('PATCH', `/products/${newId()}`, { json: wrong }))).toEqual(items)
  })

  it.each(booleans)('rejects null for %s', async (name) => {
    const response = await gateway.newStore().send('PATCH', `/products/${newId()}`, { json: { [name]: null } })
    expect(itemsOf(response)).toEqual([`${name} type`])
  })
})

describe('settings of the original interface that have no effect here', () => {
  const unsupported = [
    'deliverable_actions',
    'upselling',
    'tax_code',
    'tier_group_id',
    'is_gift_cards_disabled',
    'trial',
    'payout_splits',
  ]
  const requests: [string, string, (product: object) => object, string][] = [
    ['POST', '/products', (product) => ({ ...least, ...product }), ''],
    ['PATCH', `/products/${newId()}`, (product) => product, ''],
    [
      'POST',
      '/checkouts',
      (product) => ({ customer_id: tag, lines: [{ quantity: 1, inline_product: { ...least, ...product } }] }),
      'lines.0.inline_product.',
    ],
  ]

  it.each(requests)('are accepted by %s %s while they are empty', async (method, path, body) => {
    for (const value of [null, false, 0, '', [], {}]) {
      const json = body(Object.fromEntries(unsupported.map((name) => [name, value])))
      expect([value, (await gateway.newStore().send(method, path, { json })).status]).toEqual([value, 200])
    }
  })

  it.each(requests)('are rejected by %s %s otherwise', async (method, path, body, at) => {
    const values = [true, 5, 'x', [{}], { enabled: false }]
    const given = Object.fromEntries(unsupported.map((name, index) => [name, values[index % values.length]]))
    const response = await gateway.newStore().send(method, path, { json: body({ ...given, name: '' }) })
    const { errors } = response.body as { errors: { path: string; code: string }[] }
    const expected = [...unsupported.map((name) => `${at}${name} unsupported`), `${at}name length`]
    expect(errors.map((one) => `${one.path} ${one.code}`).sort()).toEqual(expected.sort())
  })
})

describe('GET /products', () => {
  it('passes the page to the service', async () => {
    await gateway.newStore().send('GET', '/products?limit=7&asc=true&after=5&before=9')
    expect(gateway.received()).toMatchObject({ page: { limit: 7, asc: true, after: '5', before: '9' } })
  })

  it.each(['/products', '/products/5'])('%s passes the customer whose stock is returned', async (path) => {
    await gateway.newStore().send('GET', `${path}?customer_id=7`)
    expect(gateway.received()).toMatchObject({ customerId: '7' })
  })

  it('has no filters', async () => {
    expect(itemsOf(await gateway.newStore().send('GET', '/products?slug=vip'))).toEqual(['slug enum'])
  })
})

const noLimit = { enabled: false, quantity: null, time_value: null, time_scale: null, include_trials: false }

describe('a product', () => {
  it('is returned with every field, and null for absent values', async () => {
    const store = gateway.newStore()
    expect((await store.send('GET', '/products/5')).body).toEqual({
      id: '5',
      store_id: store.id,
      slug: null,
      name: 'VIP rank',
      description: null,
      label: null,
      price: 999,
      allow_one_time_purchase: true,
      allow_subscription: false,
      subscription_interval_value: null,
      subscription_interval_scale: null,
      tags: [],
      custom_variable_ids: [],
      is_hidden: false,
      is_coupons_disabled: false,
      is_gifting_disabled: false,
      is_affiliate_links_disabled: false,
      enabled_at: null,
      enabled_until: null,
      metadata: {},
      version_id: '8',
      gameservers: [],
      single_game_server_only: false,
      commands: [],
      remove_after_enabled: false,
      remove_after_time_value: null,
      remove_after_time_scale: null,
      store_stock_limit: noLimit,
      customer_stock_limit: noLimit,
      stock_limit_do_not_include_removed: false,
      stock_available: { store_available: 7, customer_available: null },
      required_product_ids: [],
      required_product_all: false,
      allow_concurrent_active_items: false,
      image_url: null,
      enabled: true,
      sort_order: 0,
      created_by: { type: 'api_key', id: store.keyId },
      created_at: '2026-11-20T14:35:17.042Z',
      updated_by: null,
      updated_at: null,
    })
  })

  it('is returned as it was given', async () => {
    const store = gateway.newStore()
    const time = timestampFromDate(new Date('2026-11-20T15:00:00.000Z'))
    let created: object = {}
    gateway.services.overrides.createProduct = async (request: {
      product: object
      enabled: boolean
      sortOrder: number
    }) => {
      const { product: terms, enabled, sortOrder } = request
      created = { id: '5', storeId: store.id, versionId: '8', terms, enabled, sortOrder, createdAt: time }
      return { product: created }
    }
    gateway.services.overrides.getProduct = async () => ({
      product: {
        ...created,
        updatedAt: time,
        updatedBy: { type: ActorType.INTERNAL },
      },
    })
    const given = { ...everything, enabled_at: '2026-12-01T00:00:00.000Z', enabled_until: '2027-01-01T00:00:00.000Z' }
    expect((await store.send('POST', '/products', { json: everything })).body).toMatchObject(given)
    expect((await store.send('GET', '/products/5')).body).toMatchObject({
      ...given,
      updated_by: { type: 'internal', id: null },
      updated_at: '2026-11-20T15:00:00.000Z',
    })
  })
})
