import { faultOf, randomId, violationsOf, withKey } from '@storekeep/common/testing'
import { CommandStage } from '@storekeep/proto/checkout/v1/product'
import { ExecutionRule } from '@storekeep/proto/delivery/v1/global_command'
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
})
