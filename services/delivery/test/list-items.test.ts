import { fromBinary, toJsonString } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { createClient } from '@storekeep/common/grpc'
import {
  createTestTransport,
  exportAll,
  faultOf,
  randomId,
  testIdentity,
  violationsOf,
} from '@storekeep/common/testing'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import { CommandAttemptState, DeliveryItemSchema } from '@storekeep/proto/delivery/v1/delivery_item'
import { DeliveryItemsService } from '@storekeep/proto/delivery/v1/delivery_items_service'
import { type ItemStatus, ItemStatusSchema } from '@storekeep/proto/delivery/v1/item_status'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { createTestServer, inStore } from './harness.ts'
import { lineOf, openShop, type Shop, stage, summaryOf, useShops } from './shop.ts'

const delivery = useShops()

/** Marks all pending commands of the store as executed. */
async function execute({ storeId, server }: Shop, of = server): Promise<void> {
  const { gameServerId, tokenEpoch, asServer } = of
  const rows = await delivery.database.query<{ id: string }>(sql`
    select id from command_attempt
    where store_id = ${storeId} and game_server_id = ${gameServerId} and state = 'pending'`)
  await delivery.queue.acknowledgeCommands({ gameServerId, tokenEpoch, attemptIds: rows.map(({ id }) => id) }, asServer)
}

describe('ListDeliveryItems', () => {
  it('returns the items that match every filter, with their attempts', async () => {
    const shop = await openShop(delivery)
    const creative = await createTestServer(delivery, shop.options, { name: 'Creative', enabled: true })
    const [robin, kim] = [await shop.customer(), await shop.customer()]
    const product = await shop.product([stage('ON_PURCHASE', 'x')], { gameServerIds: [shop.server.gameServerId] })
    const other = await shop.product([stage('ON_PURCHASE', 'y')], { gameServerIds: [creative.gameServerId] })
    const first = await shop.buy(product, robin)
    const second = await shop.buy(other, robin)
    const third = await shop.buy(product, kim)
    await delivery.items.revokeDeliveryItem({ customerId: robin, itemId: first.id }, shop.options)
    const list = async (filter: Parameters<typeof delivery.items.listDeliveryItems>[0]) => {
      const { items } = await delivery.items.listDeliveryItems(filter, shop.options)
      return items.map(({ id }) => [first.id, second.id, third.id].indexOf(id))
    }
    expect(await list({})).toEqual([2, 1, 0])
    expect(await list({ customerId: robin })).toEqual([1, 0])
    expect(await list({ customerId: robin, activeOnly: true })).toEqual([1])
    expect(await list({ orderId: third.orderId })).toEqual([2])
    expect(await list({ gameServerId: creative.gameServerId })).toEqual([1])
    expect(await list({ gameServerId: creative.gameServerId, customerId: kim })).toEqual([])
    expect(await list({ page: { limit: 1, after: third.id } })).toEqual([1])
    const { items, page } = await delivery.items.listDeliveryItems({ page: { limit: 1, asc: true } }, shop.options)
    expect(items.map(({ commandAttempts }) => summaryOf(commandAttempts))).toEqual([['on_purchase: x (unqueued)']])
    expect(page).toMatchObject({ hasNext: true, hasPrevious: false })
    expect((await delivery.items.listDeliveryItems({}, inStore())).items).toEqual([])
  })

  it('does not find a game server of another store, and rejects malformed ids', async () => {
    const shop = await openShop(delivery)
    const list = delivery.items.listDeliveryItems({ gameServerId: shop.server.gameServerId }, inStore())
    expect(await faultOf(list)).toMatchObject({ code: 'not-found' })
    const malformed = { customerId: 'x', orderId: 'x', gameServerId: 'x' }
    expect(await violationsOf(delivery.items.listDeliveryItems(malformed, inStore()))).toEqual([
      'order_id format',
      'customer_id format',
      'game_server_id format',
    ])
  })
})

describe('ListItemStatuses', () => {
  const byPages = (options: ReturnType<typeof inStore>) => ({
    ...options,
    actor: { type: ActorType.ANONYMOUS, id: '' },
  })

  it('returns what shoppers see of the items that match every filter, without the texts of commands', async () => {
    const shop = await openShop(delivery)
    const [robin, kim] = [await shop.customer(), await shop.customer()]
    const secret = 'lp user {customer.name} secret'
    const product = await shop.product([
      stage('ON_PURCHASE', secret, { onlineOnly: true, requiredSlots: 2 }),
      stage('ON_PURCHASE', '{customer.steam.id}'),
    ])
    const subscriptionId = randomId()
    const renewing = {
      subscriptionId,
      subscriptionPeriod: { start: timestampFromMs(0), end: timestampFromMs(Date.parse('2090-01-01T00:00:00Z')) },
    }
    const first = await shop.buy(product, robin)
    const second = await shop.buy(product, robin, { subscription: true, customVariables: { nick: 'Foxy' } }, renewing)
    const third = await shop.buy(product, kim)
    await delivery.items.revokeDeliveryItem({ customerId: robin, itemId: first.id }, shop.options)
    const list = async (filter: Parameters<typeof delivery.items.listItemStatuses>[0], options = shop.options) => {
      const { items } = await delivery.items.listItemStatuses(filter, byPages(options))
      return items.map(({ id }) => [first.id, second.id, third.id].indexOf(id))
    }
    expect(await list({ customerId: robin })).toEqual([1, 0])
    expect(await list({ customerId: robin, activeOnly: true })).toEqual([1])
    expect(await list({ orderId: third.orderId })).toEqual([2])
    expect(await list({ subscriptionId })).toEqual([1])
    expect(await list({ subscriptionId, customerId: kim })).toEqual([])
    expect(await list({ subscriptionId }, inStore())).toEqual([])
    const { items } = await delivery.items.listItemStatuses({ subscriptionId }, byPages(shop.options))
    const { gameServerId } = shop.server
    expect(items).toMatchObject([
      {
        customerId: robin,
        product: { id: product.productId, name: 'VIP' },
        state: second.state,
        addedAt: second.addedAt,
        commands: [
          { gameServerId, onlineOnly: true, requiredSlots: 2, stuck: false, state: CommandAttemptState.PENDING },
          { gameServerId, state: CommandAttemptState.BLOCKED, missingPlaceholders: ['customer.steam.id'] },
        ],
      },
    ])
    expect(toJsonString(ItemStatusSchema, items[0] as ItemStatus)).not.toMatch(/secret|Foxy/)
  })

  it('rejects a list of all items of the store, and malformed ids', async () => {
    const list = (filter: Parameters<typeof delivery.items.listItemStatuses>[0]) =>
      violationsOf(delivery.items.listItemStatuses(filter, byPages(inStore())))
    expect(await list({ activeOnly: true })).toEqual(['customer_id required'])
    expect(await list({ subscriptionId: 'x' })).toEqual(['subscription_id format'])
  })

  it('is the only list of items that the pages may read', async () => {
    const { address } = delivery.running
    const transport = createTestTransport('delivery', address, () => testIdentity('pages'))
    const pages = createClient(DeliveryItemsService, transport)
    const call = byPages(inStore())
    const customerId = randomId()
    expect(await pages.listItemStatuses({ customerId }, call)).toMatchObject({ items: [] })
    expect(await faultOf(pages.listDeliveryItems({ customerId }, call))).toMatchObject({ code: 'service-unavailable' })
    transport.close()
  })
})

describe('ListCommandAttempts', () => {
  it('returns the attempts of a customer in pages', async () => {
    const shop = await openShop(delivery)
    const customerId = await shop.customer()
    const product = await shop.product([stage('ON_PURCHASE', 'a'), stage('ON_PURCHASE', 'b')])
    await shop.buy(product, customerId)
    await shop.buy(product, await shop.customer())
    const { attempts } = await delivery.items.listCommandAttempts({ customerId }, shop.options)
    expect(summaryOf(attempts)).toEqual(['on_purchase: b', 'on_purchase: a'])
    const page = { limit: 1, after: attempts[0]?.id }
    const next = await delivery.items.listCommandAttempts({ customerId, page }, shop.options)
    expect(next).toMatchObject({ attempts: [attempts[1]], page: { hasNext: false, hasPrevious: true } })
    expect((await delivery.items.listCommandAttempts({ customerId }, inStore())).attempts).toEqual([])
  })
})

describe('UnqueueCommands', () => {
  it('unqueues what is pending or blocked in the store, and ignores the rest', async () => {
    const shop = await openShop(delivery)
    const customerId = await shop.customer()
    const product = await shop.product([stage('ON_PURCHASE', 'a'), stage('ON_PURCHASE', '{customer.steam.id}')])
    const { commandAttempts } = await shop.buy(product, customerId)
    const ids = commandAttempts.map(({ id }) => id)
    const unqueue = async (attemptIds: string[], options = shop.options) =>
      (await delivery.items.unqueueCommands({ attemptIds }, options)).unqueuedCount
    expect(await unqueue(ids, inStore())).toBe(0)
    expect(await unqueue([...ids, randomId()])).toBe(2)
    expect(await unqueue(ids)).toBe(0)
    expect(await violationsOf(delivery.items.unqueueCommands({ attemptIds: [] }, shop.options))).toEqual([
      'attempt_ids length',
    ])
    expect(await violationsOf(delivery.items.unqueueCommands({ attemptIds: ['1', 'x'] }, shop.options))).toEqual([
      'attempt_ids.1 format',
    ])
  })
})

describe('ResendCommands', () => {
  it('queues again what delivered the items that customers own, as new attempts', async () => {
    const shop = await openShop(delivery)
    const creative = await createTestServer(delivery, shop.options, { name: 'Creative', enabled: true })
    const [robin, kim] = [await shop.customer({ name: 'Robin' }), await shop.customer({ name: 'Kim' })]
    const product = await shop.product([stage('ON_PURCHASE', 'add {customer.name}'), stage('ON_EXPIRE', 'expire')])
    const owned = await shop.buy(product, robin)
    const revoked = await shop.buy(product, kim)
    await execute(shop)
    await execute(shop, creative)
    await delivery.items.revokeDeliveryItem({ customerId: kim, itemId: revoked.id }, shop.options)
    await execute(shop)
    await shop.updateCustomer(robin, 2n, { name: 'Robin2' })
    const { gameServerId } = shop.server
    const resend = async (filter: object = {}) =>
      (await delivery.items.resendCommands({ gameServerId, ...filter }, shop.options)).enqueuedCount
    expect(await resend({ customerId: kim })).toBe(0)
    expect(await resend({ productId: randomId() })).toBe(0)
    expect(await resend({ endsAt: owned.addedAt })).toBe(0)
    expect(await resend({ startsAt: owned.addedAt, productId: product.productId, customerId: robin })).toBe(1)
    // A repetition of a repetition is still one.
    await execute(shop)
    expect(await resend()).toBe(1)
    const [item] = await shop.itemsOf({ customerId: robin })
    const onServer = item?.commandAttempts.filter((attempt) => attempt.gameServerId === gameServerId) ?? []
    expect(summaryOf(onServer)).toEqual([
      'on_purchase: add Robin (executed)',
      'on_purchase: add Robin2 (executed)',
      'on_purchase: add Robin2',
    ])
    expect(onServer.map(({ rerun }) => rerun)).toEqual([false, true, true])
  })

  it('queues stuck commands again by time, customer or product, in place of the stuck ones', async () => {
    const shop = await openShop(delivery)
    const customerId = await shop.customer()
    const { gameServerId } = shop.server
    const stuckAt = Date.parse('2026-03-01T12:00:00Z')
    const atStuck = timestampFromMs(stuckAt)
    const afterStuck = timestampFromMs(stuckAt + 1)
    const product = await shop.product([stage('ON_PURCHASE', 'add')])
    const resend = async (filter: object) =>
      (await delivery.items.resendCommands({ gameServerId, ...filter }, shop.options)).enqueuedCount
    for (const filter of [
      { customerId },
      { productId: product.productId },
      { startsAt: atStuck, endsAt: afterStuck, customerId },
    ]) {
      const { id } = await shop.buy(product, customerId)
      await delivery.database.query(sql`
        update command_attempt set stuck_at = ${new Date(stuckAt)}, first_given_out_at = queued_at, leased_until = queued_at
        where store_id = ${shop.storeId} and item_id = ${id}`)
      expect(await resend({ customerId, endsAt: atStuck })).toBe(0)
      expect(await resend({ customerId, startsAt: afterStuck })).toBe(0)
      expect(await resend(filter)).toBe(1)
      const item = (await shop.itemsOf({ customerId })).find((one) => one.id === id)
      expect(summaryOf(item?.commandAttempts ?? [])).toEqual(['on_purchase: add (unqueued)', 'on_purchase: add'])
    }
  })

  it('queues a stuck repetition again, once with its original, and finds what was executed only as a repetition', async () => {
    const shop = await openShop(delivery)
    const customerId = await shop.customer()
    const { gameServerId } = shop.server
    const { id } = await shop.buy(
      await shop.product([stage('ON_PURCHASE', 'add'), stage('ON_PURCHASE', 'add')]),
      customerId,
    )
    const resend = async () =>
      (await delivery.items.resendCommands({ gameServerId, customerId }, shop.options)).enqueuedCount
    const commands = async () => summaryOf((await shop.itemsOf({ customerId }))[0]?.commandAttempts ?? [])
    const becomeStuck = () =>
      delivery.database.query(sql`
        update command_attempt set stuck_at = now(), first_given_out_at = queued_at, leased_until = queued_at
        where store_id = ${shop.storeId} and item_id = ${id} and state = 'pending'`)
    const executed = 'on_purchase: add (executed)'
    const unqueued = 'on_purchase: add (unqueued)'
    await execute(shop)
    expect(await resend()).toBe(2)
    await becomeStuck()
    expect(await resend()).toBe(2)
    expect(await commands()).toEqual([executed, executed, unqueued, unqueued, 'on_purchase: add', 'on_purchase: add'])
    await delivery.database.query(sql`
      update command_attempt set state = 'unqueued', executed_at = null, executed_by_ip = null
      where store_id = ${shop.storeId} and item_id = ${id} and original_id is null`)
    await execute(shop)
    expect(await resend()).toBe(2)
    expect(await commands()).toEqual([
      ...[unqueued, unqueued, unqueued, unqueued],
      ...[executed, executed, 'on_purchase: add', 'on_purchase: add'],
    ])
  })

  it('does not find a server of another store, and rejects malformed filters', async () => {
    const { server } = await openShop(delivery)
    const { gameServerId } = server
    expect(await faultOf(delivery.items.resendCommands({ gameServerId }, inStore()))).toMatchObject({
      code: 'not-found',
    })
    const filter = { gameServerId, itemId: 'x', customerId: 'x', orderId: 'x', productId: 'x', subscriptionId: 'x' }
    expect(await violationsOf(delivery.items.resendCommands(filter, server.options))).toEqual([
      'inventory_item_id format',
      'customer_id format',
      'order_id format',
      'product_id format',
      'subscription_id format',
    ])
    const times = { startsAt: { seconds: 2n }, endsAt: { seconds: 2n } }
    expect(await violationsOf(delivery.items.resendCommands({ gameServerId, ...times }, server.options))).toEqual([
      'ends_at min',
    ])
  })
})

describe('ListOwnedProducts', () => {
  it('returns the products of which the customer has a usable or active item', async () => {
    const shop = await openShop(delivery)
    const customerId = await shop.customer()
    const [active, usable, revoked, other] = [
      await shop.product([]),
      await shop.product([stage('ON_PURCHASE', 'x')]),
      await shop.product([]),
      await shop.product([]),
    ]
    for (const product of [active, active, usable]) await shop.buy(product, customerId)
    const { id: itemId } = await shop.buy(revoked, customerId)
    await delivery.items.revokeDeliveryItem({ customerId, itemId }, shop.options)
    const productIds = [active, usable, revoked, other].map(({ productId }) => productId)
    const list = async (options = shop.options) =>
      (await delivery.items.listOwnedProducts({ customerId, productIds }, options)).productIds
    expect((await list()).toSorted()).toEqual([active.productId, usable.productId].toSorted())
    expect(await list(inStore())).toEqual([])
  })

  it('gives the recipient of a gift the product, and not its giver', async () => {
    const shop = await openShop(delivery)
    const [giver, recipient] = [await shop.customer(), await shop.customer()]
    const product = await shop.product([])
    await shop.created(shop.order(giver, [lineOf(product, { giftToCustomerId: recipient })]))
    const owned = async (customerId: string) =>
      (await delivery.items.listOwnedProducts({ customerId, productIds: [product.productId] }, shop.options)).productIds
    expect([await owned(giver), await owned(recipient)]).toEqual([[], [product.productId]])
  })
})

it('the exported items are the last published states', async () => {
  const shop = await openShop(delivery)
  const customerId = await shop.customer()
  await shop.buy(await shop.product([stage('ON_PURCHASE', 'x')]), customerId)
  await execute(shop)
  const [item] = await shop.itemsOf({ customerId })
  const { records } = await exportAll(delivery.running, 'delivery_item', 2)
  const exported = records.find(({ id }) => id === item?.id)
  expect(exported).toMatchObject({ storeId: shop.storeId, version: item?.version })
  expect(fromBinary(DeliveryItemSchema, exported?.record ?? new Uint8Array())).toEqual({ ...item, commandAttempts: [] })
})
