import { faultOf, randomId, violationsOf, withKey } from '@storekeep/common/testing'
import { CommandStage } from '@storekeep/proto/checkout/v1/product'
import { ExecutionRule } from '@storekeep/proto/delivery/v1/global_command'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { createTestServer, inStore } from './harness.ts'
import { lineOf, openShop, stage, summaryOf, useShops } from './shop.ts'

const delivery = useShops()
const input = { stage: CommandStage.ON_PURCHASE, content: 'say {customer.name}' }

describe('a global command', () => {
  it('is created once per key, listed in its order, changed and deleted', async () => {
    const options = inStore()
    const keyed = withKey(options)
    const create = () => delivery.globals.createGlobalCommand({ globalCommand: input }, keyed)
    const { globalCommand } = await create()
    expect(await create()).toEqual({ ...(await create()), globalCommand })
    expect(globalCommand).toMatchObject({
      storeId: options.storeId,
      command: { ...input, onlineOnly: false, overrideExecuteOnGameserverIds: [] },
      executionRule: ExecutionRule.ONCE_PER_ITEM,
      version: 1n,
    })
    const second = await delivery.globals.createGlobalCommand({ globalCommand: { ...input, content: 'b' } }, options)
    const globalCommandId = globalCommand?.id ?? ''
    const update = {
      globalCommandId,
      globalCommand: { content: 'c', executionRule: ExecutionRule.ONCE_PER_ORDER },
      updateMask: { paths: ['content', 'execution_rule'] },
    }
    const changed = await delivery.globals.updateGlobalCommand(update, options)
    expect(changed.globalCommand).toMatchObject({
      command: { ...input, content: 'c' },
      executionRule: ExecutionRule.ONCE_PER_ORDER,
      version: 2n,
      updatedAt: expect.anything(),
    })
    expect(await delivery.globals.updateGlobalCommand(update, options)).toEqual(changed)
    const list = async () => (await delivery.globals.listGlobalCommands({}, options)).globalCommands
    expect(await list()).toEqual([changed.globalCommand, second.globalCommand])
    await delivery.globals.deleteGlobalCommand({ globalCommandId }, options)
    expect(await list()).toEqual([second.globalCommand])
    const again = delivery.globals.deleteGlobalCommand({ globalCommandId }, options)
    expect(await faultOf(again)).toMatchObject({ code: 'not-found' })
  })

  it('is not found in another store', async () => {
    const { globalCommand } = await delivery.globals.createGlobalCommand({ globalCommand: input }, inStore())
    const globalCommandId = globalCommand?.id ?? ''
    const other = inStore()
    const update = delivery.globals.updateGlobalCommand({ globalCommandId, updateMask: { paths: [] } }, other)
    expect(await faultOf(update)).toMatchObject({ code: 'not-found' })
    const deleted = delivery.globals.deleteGlobalCommand({ globalCommandId }, other)
    expect(await faultOf(deleted)).toMatchObject({ code: 'not-found' })
  })

  it('names servers of the store only', async () => {
    const { options, gameServerId } = await createTestServer(delivery)
    const overrideExecuteOnGameserverIds = [gameServerId, randomId()]
    const created = delivery.globals.createGlobalCommand(
      { globalCommand: { ...input, overrideExecuteOnGameserverIds } },
      options,
    )
    expect(await violationsOf(created)).toEqual(['override_execute_on_gameserver_ids.1 reference'])
  })

  it('is one of at most 50, also when they are created concurrently', async () => {
    const options = inStore()
    const created = await Promise.allSettled(
      Array.from({ length: 55 }, () => delivery.globals.createGlobalCommand({ globalCommand: input }, options)),
    )
    expect(created.filter(({ status }) => status === 'fulfilled')).toHaveLength(50)
    const one = delivery.globals.createGlobalCommand({ globalCommand: input }, options)
    expect(await faultOf(one)).toMatchObject({ code: 'conflict' })
  })

  it('runs for every product, after its own commands; once per order with the first item only', async () => {
    const shop = await openShop(delivery)
    for (const [content, executionRule] of [
      ['every', ExecutionRule.ONCE_PER_ITEM],
      ['once', ExecutionRule.ONCE_PER_ORDER],
    ] as const) {
      await delivery.globals.createGlobalCommand({ globalCommand: { ...input, content, executionRule } }, shop.options)
    }
    const order = shop.order(await shop.customer(), [
      lineOf(await shop.product([stage('ON_PURCHASE', 'own')])),
      lineOf(await shop.product([])),
    ])
    await shop.created(order)
    const items = await shop.itemsOf({ orderId: order.id })
    expect(items.map(({ commandAttempts }) => summaryOf(commandAttempts))).toEqual([
      ['on_purchase: own', 'on_purchase: every', 'on_purchase: once'],
      ['on_purchase: every'],
    ])
  })

  it('runs once per order and stage with the first item that reaches it, also if the first item of the order was refunded', async () => {
    const shop = await openShop(delivery)
    for (const [stageOfCommand, content] of [
      [CommandStage.ON_PURCHASE, 'bought'],
      [CommandStage.ON_REFUND, 'refunded'],
      [CommandStage.ON_EXPIRE, 'ended'],
    ] as const) {
      const executionRule = ExecutionRule.ONCE_PER_ORDER
      await delivery.globals.createGlobalCommand(
        { globalCommand: { stage: stageOfCommand, content, executionRule } },
        shop.options,
      )
    }
    const customerId = await shop.customer()
    const product = await shop.product([])
    const order = shop.order(customerId, [lineOf(product), lineOf(product), lineOf(product, { quantity: 2 })])
    await shop.refunded(order, { amount: 999n, lines: [{ position: 1, quantity: 1 }] })
    await shop.refunded({ ...order, refundedAmount: 999n }, { amount: 999n, lines: [{ position: 2, quantity: 1 }] }, 3n)
    const [, , third, fourth] = await shop.itemsOf({ orderId: order.id })
    for (const item of [third, fourth]) {
      await delivery.items.revokeDeliveryItem({ customerId, itemId: item?.id ?? '' }, shop.options)
    }
    const items = await shop.itemsOf({ orderId: order.id })
    expect(items.map(({ commandAttempts }) => summaryOf(commandAttempts))).toEqual([
      ['on_purchase: bought (unqueued)', 'on_refund: refunded'],
      ['on_purchase: bought (unqueued)'],
      ['on_purchase: bought (unqueued)', 'on_expire: ended'],
      ['on_purchase: bought (unqueued)'],
    ])
  })

  it('moves to the next owned item of the order if its item is taken back before it was executed', async () => {
    const { shop, customerId, orderId, revoke } = await orderWithOnceCommand()
    const commands = async () =>
      (await shop.itemsOf({ orderId })).map(({ commandAttempts }) => summaryOf(commandAttempts))
    await revoke(0)
    expect((await commands()).slice(0, 3)).toEqual([['on_purchase: once (unqueued)'], ['on_purchase: once'], []])
    // A game server is about to execute it.
    const { gameServerId, tokenEpoch } = shop.server
    const poll = async () => {
      const request = { gameServerId, tokenEpoch, anyPlayer: true }
      return (await delivery.queue.pollCommands(request, shop.options)).commands.map(({ command }) => command)
    }
    await expect.poll(poll).toEqual(['once'])
    await revoke(1)
    expect((await commands()).slice(0, 3)).toEqual([
      ['on_purchase: once (unqueued)'],
      ['on_purchase: once (unqueued)'],
      [],
    ])
    expect(await shop.itemsOf({ customerId })).toHaveLength(8)
  })

  it('moves to the item that remains when others are taken back concurrently', async () => {
    const { shop, orderId, revoke } = await orderWithOnceCommand()
    await Promise.all([0, 1, 2, 4, 5, 6, 7].map(revoke))
    const pending = (await shop.itemsOf({ orderId })).map(
      ({ commandAttempts }) => summaryOf(commandAttempts).filter((text) => text === 'on_purchase: once').length,
    )
    expect(pending).toEqual([0, 0, 0, 1, 0, 0, 0, 0])
  })

  it('runs once for items of an order that reach the stage concurrently, because of the primary key', async () => {
    const { database } = delivery
    expect(await runsOfConcurrentItems()).toBe(1)
    // The negative control.
    await database.query(sql`alter table order_command drop constraint order_command_pkey`)
    try {
      expect(await runsOfConcurrentItems()).toBeGreaterThan(1)
    } finally {
      await database.query(sql`truncate order_command`)
      await database.query(sql`
        alter table order_command add primary key (store_id, order_id, global_command_id, stage)`)
    }
  })
})

/** An order of eight units whose first one has a pending command that runs once per order. */
async function orderWithOnceCommand() {
  const shop = await openShop(delivery)
  const globalCommand = { ...input, content: 'once', executionRule: ExecutionRule.ONCE_PER_ORDER }
  await delivery.globals.createGlobalCommand({ globalCommand }, shop.options)
  const customerId = await shop.customer()
  const order = shop.order(customerId, [lineOf(await shop.product([]), { quantity: 8 })])
  await shop.created(order)
  const items = await shop.itemsOf({ orderId: order.id })
  const revoke = (index: number) =>
    delivery.items.revokeDeliveryItem({ customerId, itemId: items[index]?.id ?? '' }, shop.options)
  return { shop, customerId, orderId: order.id, revoke }
}

/** How often a command that runs once per order runs when all items of an order end concurrently. */
async function runsOfConcurrentItems(): Promise<number> {
  const shop = await openShop(delivery)
  const globalCommand = { stage: CommandStage.ON_EXPIRE, content: 'ended', executionRule: ExecutionRule.ONCE_PER_ORDER }
  await delivery.globals.createGlobalCommand({ globalCommand }, shop.options)
  const customerId = await shop.customer()
  const order = shop.order(customerId, [lineOf(await shop.product([stage('ON_PURCHASE', 'own')]), { quantity: 8 })])
  await shop.created(order)
  const items = await shop.itemsOf({ orderId: order.id })
  await Promise.all(
    items.map(({ id: itemId }) => delivery.items.revokeDeliveryItem({ customerId, itemId }, shop.options)),
  )
  const ended = (await shop.itemsOf({ orderId: order.id })).flatMap(({ commandAttempts }) => summaryOf(commandAttempts))
  return ended.filter((command) => command === 'on_expire: ended').length
}
