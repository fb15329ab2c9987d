import { eventsOf, randomId } from '@storekeep/common/testing'
import { DeliveryItemState } from '@storekeep/proto/delivery/v1/delivery_item'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { countWaiting } from '../src/items/db/plan-repository.ts'
import { createTestServer } from './harness.ts'
import { lineOf, openShop, stage, summaryOf, useShops } from './shop.ts'

const delivery = useShops()

describe('a paid order', () => {
  it('adds one item per unit of each line, and queues the commands of each in order', async () => {
    const shop = await openShop(delivery)
    const customerId = await shop.customer()
    const vip = await shop.product([
      stage('ON_PURCHASE', 'first'),
      stage('ON_EXPIRE', 'x'),
      stage('ON_PURCHASE', 'second'),
    ])
    const kit = await shop.product([stage('ON_PURCHASE', 'kit {line.quantity} {line.price} {currency} {order.number}')])
    const order = shop.order(customerId, [lineOf(vip), lineOf(kit, { name: 'Kit', quantity: 3 })])
    await shop.created(order)
    const items = await shop.itemsOf({ orderId: order.id })
    expect(items.map(({ orderLine, quantityIndex, product }) => [orderLine, quantityIndex, product?.name])).toEqual([
      [1, 0, 'VIP'],
      [2, 0, 'Kit'],
      [2, 1, 'Kit'],
      [2, 2, 'Kit'],
    ])
    expect(items.map(({ commandAttempts }) => summaryOf(commandAttempts))).toEqual([
      ['on_purchase: first', 'on_purchase: second'],
      ...Array.from({ length: 3 }, () => ['on_purchase: kit 3 9.99 eur 1042']),
    ])
    expect(items[0]).toMatchObject({
      storeId: shop.storeId,
      customerId,
      orderCustomerId: customerId,
      orderId: order.id,
      checkoutId: order.checkoutId,
      product: { id: vip.productId, versionId: vip.versionId, name: 'VIP', slug: 'vip' },
      state: DeliveryItemState.USABLE,
      gift: false,
      version: 1n,
    })
    const events = await eventsOf(delivery, items[0]?.id)
    expect(events.map(({ type }) => type)).toEqual(['delivery_item.added'])
    expect(events[0]?.message).toMatchObject({ item: { ...items[0], commandAttempts: [] } })
  })

  it('adds its items once, however often its events arrive', async () => {
    const shop = await openShop(delivery)
    const customerId = await shop.customer()
    const product = await shop.product([stage('ON_PURCHASE', 'give')])
    const order = shop.order(customerId, [lineOf(product, { quantity: 2 })])
    await shop.created(order)
    await shop.created(order)
    const items = await shop.itemsOf({ customerId })
    expect(items.map(({ commandAttempts }) => commandAttempts.length)).toEqual([1, 1])
  })

  it('has an item per unit because of the unique index, without which a second one could be inserted', async () => {
    const shop = await openShop(delivery)
    const { id } = await shop.buy(await shop.product([]), await shop.customer())
    const copy = sql`
      insert into delivery_item
      select (jsonb_populate_record(item, jsonb_build_object('id', flake_id()))).* from delivery_item as item
      where store_id = ${shop.storeId} and id = ${id}`
    await expect(delivery.database.query(copy)).rejects.toThrow('delivery_item_of_unit')
    const undone = delivery.database.transaction(async (tx) => {
      await tx.query(sql`drop index delivery_item_of_unit`)
      await tx.query(copy)
      throw new Error('inserted without the index')
    })
    await expect(undone).rejects.toThrow('inserted without the index')
  })

  it('activates items without commands, and items whose commands are skipped', async () => {
    const shop = await openShop(delivery)
    const customerId = await shop.customer()
    const item = await shop.buy(await shop.product([stage('ON_EXPIRE', 'x')]), customerId)
    expect(item).toMatchObject({ state: DeliveryItemState.ACTIVE, activeAt: expect.anything(), version: 2n })
    expect((await eventsOf(delivery, item.id)).map(({ type }) => type)).toEqual([
      'delivery_item.added',
      'delivery_item.activated',
    ])
  })

  it('delivers a gift to its recipient and knows who gave it', async () => {
    const shop = await openShop(delivery)
    const [buyer, recipient] = [await shop.customer({ name: 'Kim' }), await shop.customer({ name: 'Robin' })]
    const product = await shop.product([stage('ON_PURCHASE', 'say {buyer.name} gave {customer.name} {product.name}')])
    const item = await shop.buy(product, buyer, { giftToCustomerId: recipient })
    expect(item).toMatchObject({ customerId: recipient, orderCustomerId: buyer, gift: true })
    expect(summaryOf(item.commandAttempts)).toEqual(['on_purchase: say Kim gave Robin VIP'])
    expect(item.commandAttempts[0]).toMatchObject({ customerId: recipient, customerName: 'Robin' })
  })

  it('delivers inline products by the terms of their line', async () => {
    const shop = await openShop(delivery)
    const inlineProduct = { name: 'Own', slug: 'own', commands: [stage('ON_PURCHASE', 'own {product.slug}')] }
    const order = shop.order(await shop.customer(), [{ name: 'Own', quantity: 1, inlineProduct }])
    await shop.created(order)
    const [item] = await shop.itemsOf({ orderId: order.id })
    expect(item?.product).toMatchObject({ name: 'Own', slug: 'own' })
    expect([item?.product?.id, item?.product?.versionId]).toEqual([undefined, undefined])
    expect(summaryOf(item?.commandAttempts ?? [])).toEqual(['on_purchase: own own'])
  })

  it('keeps the version that was bought when the product changes', async () => {
    const shop = await openShop(delivery)
    const customerId = await shop.customer()
    const before = await shop.product([stage('ON_PURCHASE', 'old')])
    const after = { ...before, versionId: randomId(), version: 2n }
    await shop.publishVersion(after, [stage('ON_PURCHASE', 'new'), stage('ON_REFUND', 'new refund')], {}, 'updated')
    const order = shop.order(customerId, [lineOf(before)])
    await shop.created(order)
    await shop.refunded(order, { amount: 999n })
    const [item] = await shop.itemsOf({ orderId: order.id })
    expect(summaryOf(item?.commandAttempts ?? [])).toEqual(['on_purchase: old (unqueued)'])
    const [second] = [await shop.buy(after, customerId)]
    expect(summaryOf(second.commandAttempts)).toEqual(['on_purchase: new'])
  })
})

describe('commands', () => {
  it('go to their own servers, else to the chosen one, else to the servers of the product, else to all enabled ones', async () => {
    const shop = await openShop(delivery)
    const { options } = shop
    const named = (name: string, enabled = true) => createTestServer(delivery, options, { name, enabled })
    const [creative, skyblock] = [await named('Creative'), await named('Skyblock')]
    await named('Off', false)
    const customerId = await shop.customer()
    const everywhere = stage('ON_PURCHASE', 'on {gameserver.name}')
    const override = stage('ON_PURCHASE', 'override on {gameserver.name}', {
      overrideExecuteOnGameserverIds: [skyblock.gameServerId],
    })
    const free = await shop.product([everywhere, override])
    const limited = await shop.product([everywhere], { gameServerIds: [creative.gameServerId, skyblock.gameServerId] })
    const commandsOf = async (...buy: Parameters<typeof shop.buy>) =>
      (await shop.buy(...buy)).commandAttempts.map(({ command }) => command)
    expect(await commandsOf(free, customerId)).toEqual([
      'on Survival',
      'on Creative',
      'on Skyblock',
      'override on Skyblock',
    ])
    expect(await commandsOf(limited, customerId)).toEqual(['on Creative', 'on Skyblock'])
    const chosen = { selectedGameserverId: creative.gameServerId }
    expect(await commandsOf(limited, customerId, chosen)).toEqual(['on Creative'])
    expect(await commandsOf(free, customerId, chosen)).toEqual(['on Creative', 'override on Skyblock'])
  })

  it('wait, and are counted as waiting for a game server, if all servers that the product names are deleted', async () => {
    const shop = await openShop(delivery)
    const other = await createTestServer(delivery, shop.options, { name: 'Gone', enabled: true })
    const product = await shop.product([stage('ON_PURCHASE', 'x')], { gameServerIds: [other.gameServerId] })
    await delivery.client.deleteGameServer({ gameServerId: other.gameServerId }, shop.options)
    const item = await shop.buy(product, await shop.customer())
    expect(item).toMatchObject({ state: DeliveryItemState.USABLE, commandAttempts: [] })
    const waiting = async () =>
      await delivery.database.query(sql`
        select unplanned_stages as stages from delivery_item
        where store_id = ${shop.storeId} and id = ${item.id} and plan_at is not null`)
    expect(await waiting()).toEqual([{ stages: ['on_purchase'] }])
    expect((await countWaiting(delivery.database)).forServer).toBeGreaterThanOrEqual(1)
    // Revoking it, such as to grant it again, ends the wait.
    const { customerId, id: itemId } = item
    await delivery.items.revokeDeliveryItem({ customerId, itemId }, shop.options)
    expect(await waiting()).toEqual([])
  })

  it('keep their delay, slots and whether the player must be online', async () => {
    const shop = await openShop(delivery)
    const product = await shop.product([
      stage('ON_PURCHASE', 'x', { delaySeconds: 90, requiredSlots: 2, onlineOnly: true }),
    ])
    const steamId = '76561198000000001'
    const customerId = await shop.customer({ steamId, steam: { id: steamId, name: 'Robin' } })
    const [attempt] = (await shop.buy(product, customerId)).commandAttempts
    expect(attempt).toMatchObject({ requiredSlots: 2, onlineOnly: true, steamId, customerName: 'Robin', rerun: false })
    expect(Number(attempt?.dueAt?.seconds)).toBe(Number(attempt?.queuedAt?.seconds) + 90)
  })

  it('wait for the version of the product, if the order arrives first', async () => {
    const shop = await openShop(delivery)
    const bought = { productId: randomId(), versionId: randomId(), version: 1n }
    const item = await shop.buy(bought, await shop.customer())
    expect(item).toMatchObject({ state: DeliveryItemState.USABLE, commandAttempts: [] })
    await shop.publishVersion(bought, [stage('ON_PURCHASE', 'late')])
    const commands = async () =>
      (await shop.itemsOf({ orderId: item.orderId })).map((one) => summaryOf(one.commandAttempts))
    await expect.poll(commands).toEqual([['on_purchase: late']])
  })

  it('for all servers wait for the first server of the store', async () => {
    const shop = await openShop(delivery, false)
    const item = await shop.buy(await shop.product([stage('ON_PURCHASE', 'x')]), await shop.customer())
    expect(item).toMatchObject({ state: DeliveryItemState.USABLE, commandAttempts: [] })
    await createTestServer(delivery, shop.options)
    const commands = async () =>
      (await shop.itemsOf({ orderId: item.orderId })).map((one) => summaryOf(one.commandAttempts))
    await expect.poll(commands).toEqual([['on_purchase: x']])
  })
})
