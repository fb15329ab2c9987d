import { timestampDate } from '@bufbuild/protobuf/wkt'
import { isFlakeId } from '@storekeep/common/flake'
import { countEvents, eventsOf, faultOf, isPublished, randomId, violationsOf, withKey } from '@storekeep/common/testing'
import { CommandStage, IntervalScale } from '@storekeep/proto/checkout/v1/product'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import { describe, expect, it, onTestFinished } from 'vitest'
import { inStore, useProducts } from './harness.ts'
import { createTestProduct, everything, least, recordOf, serverOfEverything, type Terms } from './product-inputs.ts'

const products = useProducts()

describe('CreateProduct', () => {
  it('creates a product with every field', async () => {
    const options = inStore()
    const product = await createTestProduct(products, options, everything)
    expect(product).toMatchObject({
      storeId: options.storeId,
      terms: everything,
      createdBy: { type: ActorType.API_KEY, id: options.actor?.id },
      version: 1n,
      enabled: true,
      sortOrder: 0,
    })
    expect(isFlakeId(product.id)).toBe(true)
    expect(product.updatedBy ?? product.updatedAt).toBeUndefined()
    const age = Date.now() - (product.createdAt ? timestampDate(product.createdAt).getTime() : 0)
    expect(Math.abs(age)).toBeLessThan(60_000)
    expect((await products.client.getProduct({ productId: product.id }, options)).product).toEqual(product)
  })

  it('requires only a name, a price and a kind of purchase', async () => {
    const { terms } = await createTestProduct(products, inStore())
    expect(terms).toMatchObject({ ...least, tags: [], customVariableIds: [], metadata: {} })
    for (const member of ['slug', 'description', 'label', 'subscriptionIntervalValue', 'enabledAt', 'enabledUntil']) {
      expect(Object.hasOwn(terms ?? {}, member), member).toBe(false)
    }
  })

  it('stores whether and where the storefront lists the product', async () => {
    const options = inStore()
    const { product } = await products.client.createProduct({ product: least, enabled: false, sortOrder: 7 }, options)
    expect(product).toMatchObject({ enabled: false, sortOrder: 7 })
    const tooFar = products.client.createProduct({ product: least, sortOrder: 1_000_001 }, options)
    expect(await violationsOf(tooFar)).toEqual(['sort_order max'])
    const negative = products.client.createProduct({ product: { ...least, name: '' }, sortOrder: -1 }, options)
    expect(await violationsOf(negative)).toEqual(['name length', 'sort_order min'])
  })

  it('accepts a price of 0', async () => {
    expect((await createTestProduct(products, inStore(), { price: 0n })).terms?.price).toBe(0n)
  })

  it('removes duplicate tags and variables and keeps their order', async () => {
    const [one, other] = [products.customVariables.add('one'), randomId()]
    const { terms } = await createTestProduct(products, inStore(), {
      tags: [other, one, other],
      customVariableIds: [one, one],
    })
    expect(terms).toMatchObject({ tags: [other, one], customVariableIds: [one] })
  })

  it('reports all violations and creates nothing', async () => {
    const options = inStore()
    const invalid: Terms = {
      slug: 'no slug',
      name: '',
      price: -1n,
      allowSubscription: true,
      subscriptionIntervalValue: 366,
      tags: ['x'],
      customVariableIds: Array(51).fill('1'),
      enabledAt: everything.enabledUntil,
      enabledUntil: everything.enabledAt,
    }
    expect(await violationsOf(products.client.createProduct({ product: invalid }, options))).toEqual([
      'slug pattern',
      'name length',
      'price min',
      'subscription_interval_scale required',
      'subscription_interval_value max',
      'tags.0 format',
      'custom_variable_ids length',
      'enabled_until min',
    ])
    expect(await violationsOf(products.client.createProduct({}, options))).toEqual([
      'name length',
      'allow_one_time_purchase required',
    ])
    expect(await countEvents(products, options.storeId)).toBe(0)
  })

  it('reports each unknown variable with its path and creates nothing', async () => {
    const options = inStore()
    const [known, deleted] = [products.customVariables.add('known'), products.customVariables.add('deleted')]
    products.customVariables.remove(deleted)
    const customVariableIds = [known, known, deleted, randomId()]
    expect(await violationsOf(createTestProduct(products, options, { customVariableIds }))).toEqual([
      'custom_variable_ids.2 reference',
      'custom_variable_ids.3 reference',
    ])
    expect(products.customVariables.storeId).toBe(options.storeId)
    expect(await countEvents(products, options.storeId)).toBe(0)
    const { terms } = await createTestProduct(products, options, { customVariableIds: [known] })
    expect(terms?.customVariableIds).toEqual([known])
  })

  it.each(['unavailable', 'broken'] as const)(
    'returns 503 while custom variables is %s, unless the product has no variables',
    async (outage) => {
      const options = inStore()
      products.customVariables.outage = outage
      onTestFinished(() => {
        products.customVariables.outage = 'none'
      })
      expect(await faultOf(createTestProduct(products, options, everything))).toMatchObject({
        code: 'service-unavailable',
      })
      expect(await violationsOf(createTestProduct(products, options, { ...everything, name: '' }))).toEqual([
        'name length',
      ])
      expect(await countEvents(products, options.storeId)).toBe(0)
      await createTestProduct(products, options)
    },
  )

  it('returns the stored response for a repeated key after its variable was deleted', async () => {
    const { customVariables, client } = products
    const options = withKey(inStore())
    const variable = customVariables.add('gone')
    const product = { ...least, customVariableIds: [variable] }
    const first = await client.createProduct({ product }, options)
    customVariables.remove(variable)
    expect(await client.createProduct({ product }, options)).toEqual(first)
    expect(await countEvents(products, options.storeId)).toBe(1)
  })

  it('rejects a slug that another product of the store has, ignoring case', async () => {
    const options = inStore()
    await createTestProduct(products, options, { slug: 'vip' })
    const again = createTestProduct(products, options, { slug: 'VIP' })
    expect(await faultOf(again)).toMatchObject({ code: 'conflict' })
    expect(await violationsOf(createTestProduct(products, options, { slug: 'vip' }))).toEqual(['slug unique'])
    await createTestProduct(products, inStore(), { slug: 'vip' })
    await Promise.all([createTestProduct(products, options), createTestProduct(products, options)])
  })

  it('creates one of eight concurrent products with the same slug and returns a conflict for the others', async () => {
    const options = inStore()
    const settled = await Promise.allSettled(
      Array.from({ length: 8 }, (_, n) => createTestProduct(products, options, { slug: n % 2 ? 'one' : 'ONE' })),
    )
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const one of settled) if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'conflict' })
  })

  it('is idempotent with a key, which is rejected for another product', async () => {
    const options = withKey(inStore())
    const product = { ...least, slug: 'once', metadata: { b: '1', a: '2' } }
    const first = await products.client.createProduct({ product }, options)
    expect(await products.client.createProduct({ product }, options)).toEqual(first)
    const other = products.client.createProduct({ product: { ...product, price: 1n } }, options)
    expect(await faultOf(other)).toMatchObject({ code: 'idempotency-mismatch' })
    expect(await countEvents(products, options.storeId)).toBe(1)
  })

  it('reports each unknown game server, required product and variable of a command, and creates nothing', async () => {
    const options = inStore()
    const server = products.delivery.addServer(options.storeId ?? '')
    const foreign = await createTestProduct(products, inStore())
    const { id: known } = await createTestProduct(products, options)
    const command = { stage: CommandStage.ON_PURCHASE, content: 'give {variables.kit}', onlineOnly: false }
    const invalid: Terms = {
      ...least,
      gameServerIds: [server, server, randomId()],
      commands: [
        { ...command, overrideExecuteOnGameserverIds: [randomId()] },
        { ...command, content: 'say {variables.nick}' },
      ],
      customVariableIds: [products.customVariables.add('nick')],
      requiredProductIds: [known, foreign.id],
    }
    expect(await violationsOf(products.client.createProduct({ product: invalid }, options))).toEqual([
      'commands.0.content reference',
      'gameservers.2 reference',
      'commands.0.override_execute_on_gameserver_ids.0 reference',
      'required_product_ids.1 reference',
    ])
    expect(await countEvents(products, options.storeId)).toBe(1)
  })

  it('returns 503 for a product that names game servers while the delivery service is unavailable', async () => {
    products.delivery.outage = 'unavailable'
    onTestFinished(() => {
      products.delivery.outage = 'none'
    })
    const named = createTestProduct(products, inStore(), { gameServerIds: [serverOfEverything] })
    expect(await faultOf(named)).toMatchObject({ code: 'service-unavailable' })
    expect(await createTestProduct(products, inStore(), { singleGameServerOnly: true })).toMatchObject({ version: 1n })
  })

  it('publishes the whole product', async () => {
    const options = inStore()
    const product = await createTestProduct(products, options, everything)
    expect(await eventsOf(products, product.id)).toMatchObject([
      { type: 'product.created', version: '1', storeId: options.storeId, message: { product: recordOf(product) } },
    ])
    await expect.poll(() => isPublished(products, product.id)).toBe(true)
  })

  it.each([IntervalScale.DAY, IntervalScale.WEEK, IntervalScale.MONTH, IntervalScale.YEAR])(
    'accepts the interval %s',
    async (subscriptionIntervalScale) => {
      const interval = { subscriptionIntervalValue: 3, subscriptionIntervalScale }
      expect(
        (await createTestProduct(products, inStore(), { ...interval, allowSubscription: true })).terms,
      ).toMatchObject(interval)
    },
  )
})
