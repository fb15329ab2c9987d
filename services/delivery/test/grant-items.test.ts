import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { eventsOf, faultOf, randomId, violationsOf, withKey } from '@storekeep/common/testing'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import { DeliveryItemState, RevokeReason } from '@storekeep/proto/delivery/v1/delivery_item'
import { describe, expect, it } from 'vitest'
import { inStore } from './harness.ts'
import { lineOf, openShop, stage, summaryOf, useShops } from './shop.ts'

const delivery = useShops()

describe('GrantDeliveryItems', () => {
  it('hands out the latest version of a product, or a given one, and queues its commands', async () => {
    const shop = await openShop(delivery)
    const customerId = await shop.customer()
    const before = await shop.product([stage('ON_PURCHASE', 'old {variables.nick|none}')])
    const after = { ...before, versionId: randomId(), version: 2n }
    await shop.publishVersion(after, [stage('ON_PURCHASE', 'new {variables.nick}')], {}, 'updated')
    const overrideExpiresAt = timestampFromMs(Date.parse('2090-01-01T00:00:00Z'))
    const { items } = await delivery.items.grantDeliveryItems(
      {
        grants: [
          {
            customerId,
            productId: before.productId,
            quantity: 2,
            customVariables: { nick: 'Foxy' },
            overrideExpiresAt,
          },
          { customerId, productVersionId: before.versionId, quantity: 1 },
          { customerId, productId: before.productId, quantity: 1, skipCommands: true },
        ],
      },
      shop.options,
    )
    expect(items.map(({ commandAttempts, state }) => [state, ...summaryOf(commandAttempts)])).toEqual([
      [DeliveryItemState.USABLE, 'on_purchase: new Foxy'],
      [DeliveryItemState.USABLE, 'on_purchase: new Foxy'],
      [DeliveryItemState.USABLE, 'on_purchase: old none'],
      [DeliveryItemState.ACTIVE],
    ])
    expect(items[0]).toMatchObject({
      customerId,
      addedBy: { type: ActorType.API_KEY, id: '411486491630370817' },
      product: { id: before.productId, versionId: after.versionId },
      expirable: true,
      expiresAt: overrideExpiresAt,
      overrideExpiresAt,
      customVariables: { nick: 'Foxy' },
    })
    expect([items[0]?.orderId, items[0]?.orderCustomerId, items[0]?.orderLine]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    expect(await shop.itemsOf({ customerId })).toEqual(items)
    expect((await eventsOf(delivery, items[3]?.id)).map(({ type }) => type)).toEqual([
      'delivery_item.added',
      'delivery_item.activated',
    ])
  })

  it('adds all or none, and names every grant that is wrong', async () => {
    const shop = await openShop(delivery)
    const customerId = await shop.customer()
    const { productId } = await shop.product([])
    const deleted = await shop.product([])
    await shop.publishVersion({ ...deleted, versionId: randomId(), version: 2n }, [], {}, 'deleted')
    const other = await openShop(delivery)
    const foreign = { customerId: await other.customer(), product: await other.product([]) }
    const valid = { customerId, productId, quantity: 1 }
    const grants = [
      valid,
      { ...valid, customerId: foreign.customerId },
      { ...valid, productId: foreign.product.productId },
      { ...valid, productId: deleted.productId },
      { customerId, productVersionId: foreign.product.versionId, quantity: 1 },
      { ...valid, executeOnGameserverId: other.server.gameServerId },
    ]
    expect(await violationsOf(delivery.items.grantDeliveryItems({ grants }, shop.options))).toEqual([
      '1.customer_id reference',
      '2.product_id reference',
      '3.product_id reference',
      '4.product_version_id reference',
      '5.execute_on_gameserver_id reference',
    ])
    expect(await shop.itemsOf({ customerId })).toEqual([])
  })

  it.each([
    ['0.customer_id required', { customerId: '' }],
    ['0.customer_id format', { customerId: 'x' }],
    ['0.product_id required', { productId: undefined }],
    ['0.product_id format', { productId: 'x' }],
    ['0.product_version_id exclusive', { productVersionId: '1' }],
    ['0.execute_on_gameserver_id format', { executeOnGameserverId: 'x' }],
    ['0.quantity min', { quantity: 0 }],
    ['0.quantity max', { quantity: 101 }],
    ['0.override_expires_at min', { overrideExpiresAt: timestampFromMs(0) }],
    ['0.custom_variables pattern', { customVariables: { 'a b': 'x' } }],
    ['0.custom_variables.nick length', { customVariables: { nick: 'x'.repeat(1025) } }],
  ])('rejects %s', async (expected, change) => {
    const grants = [{ customerId: '1', productId: '2', quantity: 1, ...change }]
    expect(await violationsOf(delivery.items.grantDeliveryItems({ grants }, inStore()))).toEqual([expected])
  })

  it('names the fields of a single grant without an index', async () => {
    const grants = [{ customerId: '1', productId: 'x', quantity: 1 }]
    const rejected = delivery.items.grantDeliveryItems({ grants, isSingle: true }, inStore())
    expect(await violationsOf(rejected)).toEqual(['product_id format'])
  })

  it('rejects no grants, too many grants and too many units', async () => {
    const grant = { customerId: '1', productId: '2', quantity: 1 }
    for (const [count, quantity, expected] of [
      [0, 1, ' length'],
      [101, 1, ' length'],
      [11, 100, ' max'],
    ] as const) {
      const grants = Array.from({ length: count }, () => ({ ...grant, quantity }))
      expect(await violationsOf(delivery.items.grantDeliveryItems({ grants }, inStore()))).toEqual([expected])
    }
  })

  it('repeats its response for the same idempotency key', async () => {
    const shop = await openShop(delivery)
    const customerId = await shop.customer()
    const { productId } = await shop.product([])
    const options = withKey(shop.options)
    const grant = () => delivery.items.grantDeliveryItems({ grants: [{ customerId, productId, quantity: 1 }] }, options)
    expect(await grant()).toEqual(await grant())
    expect(await shop.itemsOf({ customerId })).toHaveLength(1)
  })
})

describe('RevokeDeliveryItem', () => {
  it('unqueues what is pending, queues on_expire, and does it once', async () => {
    const shop = await openShop(delivery)
    const customerId = await shop.customer()
    const { id: itemId } = await shop.buy(
      await shop.product([stage('ON_PURCHASE', 'add'), stage('ON_EXPIRE', 'expire')]),
      customerId,
    )
    await delivery.items.revokeDeliveryItem({ customerId, itemId }, shop.options)
    await delivery.items.revokeDeliveryItem({ customerId, itemId }, shop.options)
    const [item] = await shop.itemsOf({ customerId })
    expect(item).toMatchObject({
      state: DeliveryItemState.REVOKED,
      revokeReason: RevokeReason.MANUAL,
      revokedBy: { type: ActorType.API_KEY },
      revokedAt: item?.removedAt,
      version: 2n,
    })
    expect(summaryOf(item?.commandAttempts ?? [])).toEqual(['on_purchase: add (unqueued)', 'on_expire: expire'])
  })

  it('does not find the item of another customer or store', async () => {
    const shop = await openShop(delivery)
    const customerId = await shop.customer()
    const { id: itemId } = await shop.buy(await shop.product([]), customerId)
    for (const [customer, options] of [
      [randomId(), shop.options],
      [customerId, inStore()],
    ] as const) {
      const revoked = delivery.items.revokeDeliveryItem({ customerId: customer, itemId }, options)
      expect(await faultOf(revoked)).toMatchObject({ code: 'not-found' })
    }
    expect((await shop.itemsOf({ customerId }))[0]?.state).toBe(DeliveryItemState.ACTIVE)
  })

  it('counts a unit as refunded that was revoked before its refund', async () => {
    const shop = await openShop(delivery)
    const customerId = await shop.customer()
    const order = shop.order(customerId, [lineOf(await shop.product([]), { quantity: 2 })])
    await shop.created(order)
    const [first] = await shop.itemsOf({ customerId })
    await delivery.items.revokeDeliveryItem({ customerId, itemId: first?.id ?? '' }, shop.options)
    await shop.refunded(order, { amount: 999n, lines: [{ position: 1, quantity: 1 }] })
    expect(await shop.itemsOf({ customerId })).toMatchObject([
      { state: DeliveryItemState.REVOKED, revokeReason: RevokeReason.REFUND },
      { state: DeliveryItemState.ACTIVE },
    ])
  })
})
