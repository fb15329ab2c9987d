import { timestampDate } from '@bufbuild/protobuf/wkt'
import type { CallOptions } from '@storekeep/common/grpc'
import { eventsOf, faultOf, randomId, violationsOf, withKey } from '@storekeep/common/testing'
import { CommandStage, IntervalScale } from '@storekeep/proto/checkout/v1/product'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import { describe, expect, it, onTestFinished } from 'vitest'
import { inStore, useProducts } from './harness.ts'
import { createTestProduct, everything, least, recordOf, type Terms } from './product-inputs.ts'

const products = useProducts()

async function update(options: CallOptions, productId: string, paths: string[], terms: Terms = {}) {
  const { product } = await products.client.updateProduct({ productId, product: terms, updateMask: { paths } }, options)
  return product
}

const everyPath = [
  'slug',
  'name',
  'description',
  'label',
  'price',
  'allow_one_time_purchase',
  'allow_subscription',
  'subscription_interval_value',
  'subscription_interval_scale',
  'tags',
  'custom_variable_ids',
  'is_hidden',
  'is_coupons_disabled',
  'is_gifting_disabled',
  'is_affiliate_links_disabled',
  'enabled_at',
  'enabled_until',
  'metadata',
  'gameservers',
  'single_game_server_only',
  'commands',
  'remove_after_enabled',
  'remove_after_time_value',
  'remove_after_time_scale',
  'store_stock_limit',
  'customer_stock_limit',
  'stock_limit_do_not_include_removed',
  'required_product_ids',
  'required_product_all',
  'allow_concurrent_active_items',
  'image_url',
  'enabled',
  'sort_order',
]

describe('UpdateProduct', () => {
  it('changes only the fields in the mask and records who changed them and when', async () => {
    const options = inStore()
    const before = await createTestProduct(products, options, everything)
    const actor = { type: ActorType.API_KEY, id: '7' }
    products.clock.advance(1000)
    const after = await update({ ...options, actor }, before.id, ['price'], { ...least, price: 5n, slug: 'other' })
    expect(after).toMatchObject({
      ...before,
      terms: { ...everything, price: 5n },
      updatedBy: actor,
      updatedAt: expect.anything(),
      version: 2n,
      versionId: expect.not.stringMatching(before.versionId),
    })
    const time = (of = before.createdAt) => (of ? timestampDate(of).getTime() : 0)
    expect(time(after?.updatedAt)).toBeGreaterThanOrEqual(time() + 1000)
    expect((await products.client.getProduct({ productId: before.id }, options)).product).toEqual(after)
  })

  it('changes every field and clears optional ones', async () => {
    const options = inStore()
    const { id } = await createTestProduct(products, options)
    expect((await update(options, id, everyPath, everything))?.terms).toMatchObject(everything)
    const after = await update(options, id, everyPath, least)
    expect(after?.terms).toMatchObject({ ...least, tags: [], customVariableIds: [], metadata: {}, isHidden: false })
    expect(after?.terms?.slug ?? after?.terms?.enabledAt ?? after?.terms?.subscriptionIntervalScale).toBeUndefined()
  })

  it('changes whether and where the storefront lists the product', async () => {
    const options = inStore()
    const { id: productId, terms } = await createTestProduct(products, options, everything)
    const change = async (paths: string[], fields: { enabled?: boolean; sortOrder?: number }) =>
      (await products.client.updateProduct({ productId, ...fields, updateMask: { paths } }, options)).product
    expect(await change(['enabled'], { enabled: false, sortOrder: 7 })).toMatchObject({ enabled: false, sortOrder: 0 })
    expect(await change(['sort_order'], { sortOrder: 7 })).toMatchObject({ terms, enabled: false, sortOrder: 7 })
    expect(await change(['enabled', 'sort_order'], {})).toMatchObject({ enabled: true, sortOrder: 0, version: 4n })
    expect(await violationsOf(change(['sort_order'], { sortOrder: -1 }))).toEqual(['sort_order min'])
  })

  it.each<[string, string[], Terms]>([
    ['an empty mask', [], { price: 5n }],
    ['unchanged values', everyPath, everything],
    ['the same ids with a duplicate', ['tags'], { tags: [...everything.tags, everything.tags[0] ?? ''] }],
  ])('changes nothing for %s', async (_what, paths, terms) => {
    const options = inStore()
    const before = await createTestProduct(products, options, everything)
    expect(await update(options, before.id, paths, terms)).toEqual(before)
    expect((await eventsOf(products, before.id)).map(({ type }) => type)).toEqual(['product.created'])
  })

  it.each<[string, string[], Terms, string[]]>([
    ['no name', ['name'], {}, ['name length']],
    ['a price below 0', ['price', 'slug'], { price: -1n, slug: '-' }, ['slug pattern', 'price min']],
    ['no kind of purchase', ['allow_one_time_purchase'], {}, ['allow_one_time_purchase required']],
    [
      'subscriptions without an interval',
      ['allow_subscription'],
      { allowSubscription: true },
      ['subscription_interval_scale required', 'subscription_interval_value required'],
    ],
    ['an end before its start', ['enabled_until'], { enabledUntil: everything.enabledAt }, ['enabled_until min']],
  ])('rejects a change that would leave %s', async (_what, paths, terms, expected) => {
    const options = inStore()
    const before = await createTestProduct(products, options, { enabledAt: everything.enabledUntil })
    expect(await violationsOf(update(options, before.id, paths, terms))).toEqual(expected)
    expect((await products.client.getProduct({ productId: before.id }, options)).product).toEqual(before)
  })

  it('reports each unknown variable with its path and changes nothing', async () => {
    const options = inStore()
    const { customVariables } = products
    const [known, deleted] = [customVariables.add('known'), customVariables.add('deleted')]
    const before = await createTestProduct(products, options, { customVariableIds: [deleted] })
    customVariables.remove(deleted)
    const customVariableIds = [randomId(), known, deleted]
    const change = update(options, before.id, ['price', 'custom_variable_ids'], { price: 5n, customVariableIds })
    expect(await violationsOf(change)).toEqual(['custom_variable_ids.0 reference', 'custom_variable_ids.2 reference'])
    expect(customVariables.storeId).toBe(options.storeId)
    expect((await products.client.getProduct({ productId: before.id }, options)).product).toEqual(before)
    const after = await update(options, before.id, ['custom_variable_ids'], { customVariableIds: [known] })
    expect(after?.terms?.customVariableIds).toEqual([known])
  })

  it('checks variables only when they change, and returns 503 while custom variables is unavailable', async () => {
    const options = inStore()
    const { customVariables } = products
    const { id } = await createTestProduct(products, options, everything)
    customVariables.outage = 'unavailable'
    onTestFinished(() => {
      customVariables.outage = 'none'
    })
    const change = (paths: string[], terms: Terms) => update(options, id, paths, terms)
    expect(await faultOf(change(['custom_variable_ids'], everything))).toMatchObject({ code: 'service-unavailable' })
    expect(await violationsOf(change(['name', 'custom_variable_ids'], { ...everything, name: '' }))).toEqual([
      'name length',
    ])
    const calls = customVariables.calls
    expect((await change(['price'], { ...everything, price: 5n }))?.terms?.price).toBe(5n)
    const cleared = await change(['custom_variable_ids', 'commands'], {})
    expect(cleared?.terms?.customVariableIds).toEqual([])
    expect(customVariables.calls).toBe(calls)
  })

  it('keeps the variables that commands use, whichever of the two changes', async () => {
    const options = inStore()
    const [kit, nick] = [products.customVariables.add('kit'), products.customVariables.add('nick')]
    const command = { stage: CommandStage.ON_PURCHASE, content: 'give {variables.kit}', onlineOnly: false }
    const { id } = await createTestProduct(products, options, { customVariableIds: [kit], commands: [command] })
    const change = (paths: string[], terms: Terms) => violationsOf(update(options, id, paths, terms))
    expect(await change(['custom_variable_ids'], { customVariableIds: [nick] })).toEqual([
      'commands.0.content reference',
    ])
    expect(await change(['custom_variable_ids'], {})).toEqual(['commands.0.content reference'])
    const commands = [{ ...command, content: 'say {variables.nick}' }]
    expect(await change(['commands'], { commands })).toEqual(['commands.0.content reference'])
    const after = await update(options, id, ['commands', 'custom_variable_ids'], {
      commands,
      customVariableIds: [nick],
    })
    expect(after?.terms).toMatchObject({ commands, customVariableIds: [nick] })
  })

  it('accepts the terms that a response contains, and changes nothing', async () => {
    const options = inStore()
    const before = await createTestProduct(products, options, {
      ...everything,
      storeStockLimit: { enabled: false, includeTrials: false },
    })
    expect(before.terms?.storeStockLimit).toBeUndefined()
    expect(await update(options, before.id, everyPath, before.terms)).toEqual(before)
  })

  it('returns the stored response for a repeated key after its variable was deleted', async () => {
    const options = inStore()
    const { id } = await createTestProduct(products, options)
    const variable = products.customVariables.add('gone')
    const change = () => update(repeated, id, ['custom_variable_ids'], { customVariableIds: [variable] })
    const repeated = withKey(options)
    const first = await change()
    products.customVariables.remove(variable)
    expect(await change()).toEqual(first)
    expect(await eventsOf(products, id)).toHaveLength(2)
  })

  it('validates fields together: an interval can be set before subscriptions and cleared after them', async () => {
    const options = inStore()
    const { id } = await createTestProduct(products, options)
    const interval = { subscriptionIntervalValue: 1, subscriptionIntervalScale: IntervalScale.WEEK }
    const paths = ['subscription_interval_value', 'subscription_interval_scale']
    await update(options, id, paths, interval)
    await update(options, id, ['allow_subscription', 'allow_one_time_purchase'], { allowSubscription: true })
    expect(await violationsOf(update(options, id, paths))).toHaveLength(2)
    await update(options, id, ['allow_subscription', 'allow_one_time_purchase'], least)
    expect((await update(options, id, paths))?.terms?.subscriptionIntervalValue).toBeUndefined()
  })

  it('rejects a slug that another product has and accepts its own in another case', async () => {
    const options = inStore()
    await createTestProduct(products, options, { slug: 'taken' })
    const { id } = await createTestProduct(products, options, { slug: 'own' })
    const taken = update(options, id, ['slug'], { slug: 'TAKEN' })
    expect(await violationsOf(taken)).toEqual(['slug unique'])
    expect((await update(options, id, ['slug'], { slug: 'OWN' }))?.terms?.slug).toBe('OWN')
  })

  it('rejects a mask with unknown or read-only fields', async () => {
    const options = inStore()
    const { id } = await createTestProduct(products, options)
    for (const path of ['store_id', 'id', 'toString', '']) {
      expect(await faultOf(update(options, id, [path]))).toMatchObject({ code: 'bad-request' })
    }
  })

  it('keeps two concurrent changes of different fields, 20 times, and publishes the result of both', async () => {
    const options = inStore()
    const { id } = await createTestProduct(products, options)
    for (let round = 0; round < 20; round += 1) {
      const [price, label] = [BigInt(round), `round ${round}`]
      await Promise.all([update(options, id, ['price'], { price }), update(options, id, ['label'], { label })])
      const { product } = await products.client.getProduct({ productId: id }, options)
      expect(product).toMatchObject({ terms: { price, label }, version: BigInt(round * 2 + 3) })
      expect((await eventsOf(products, id)).at(-1)?.message).toMatchObject({ product: { terms: { price, label } } })
    }
  })

  it('returns not-found for an unknown product and one of another store', async () => {
    const { id } = await createTestProduct(products, inStore())
    expect(await faultOf(update(inStore(), id, ['price'], { price: 1n }))).toMatchObject({ code: 'not-found' })
    expect(await faultOf(update(inStore(), randomId(), []))).toMatchObject({ code: 'not-found' })
    expect(await violationsOf(update(inStore(), 'x', []))).toEqual(['product_id format'])
    const withVariable = update(inStore(), id, ['custom_variable_ids'], { customVariableIds: [randomId()] })
    expect(await faultOf(withVariable)).toMatchObject({ code: 'not-found' })
  })

  it('is idempotent with a key and publishes the whole product', async () => {
    const options = inStore()
    const { id } = await createTestProduct(products, options)
    const repeated = withKey(options)
    const first = await update(repeated, id, ['price'], { price: 1n })
    await update(options, id, ['price'], { price: 2n })
    expect(await update(repeated, id, ['price'], { price: 1n })).toEqual(first)
    const events = await eventsOf(products, id)
    expect(events.map(({ type, version }) => [type, version])).toEqual([
      ['product.created', '1'],
      ['product.updated', '2'],
      ['product.updated', '3'],
    ])
    expect(events[1]?.message).toMatchObject({ product: first && recordOf(first) })
  })
})
