import { timestampDate } from '@bufbuild/protobuf/wkt'
import { eventsOf, randomId } from '@storekeep/common/testing'
import { IntervalScale } from '@storekeep/proto/checkout/v1/product'
import {
  CommandAttemptState,
  type DeliveryItem,
  DeliveryItemState,
  RevokeReason,
} from '@storekeep/proto/delivery/v1/delivery_item'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { everyStage, execute, expectExecuted, expectNothing, hourMs, only, statesOf } from './life.ts'
import { lineOf, openShop, type Shop, summaryOf, useShops } from './shop.ts'

const delivery = useShops()

const { USABLE, ACTIVE, USED, REVOKED } = DeliveryItemState

describe('an item', () => {
  it('is usable until its first command was executed, and then active', async () => {
    const shop = await openShop(delivery)
    const customerId = await shop.customer()
    const bought = await shop.buy(await shop.product(everyStage), customerId)
    expect(bought.state).toBe(USABLE)
    await expectExecuted(delivery, shop, ['add'])
    const item = await only(shop, customerId)
    expect(item).toMatchObject({ state: ACTIVE, activeAt: expect.anything(), expirable: false, version: 2n })
    expect(item.commandAttempts).toMatchObject([{ executedByIp: '192.0.2.7', executedAt: expect.anything() }])
    expect((await eventsOf(delivery, item.id)).map(({ type }) => type)).toEqual([
      'delivery_item.added',
      'delivery_item.activated',
    ])
  })

  it('that is partially refunded, charged back and won loses its units in this order', async () => {
    const shop = await openShop(delivery)
    const customerId = await shop.customer()
    const vip = await shop.product(everyStage)
    const order = shop.order(customerId, [lineOf(vip, { quantity: 2 }), lineOf(vip)])
    await shop.created(order)
    await expectExecuted(delivery, shop, ['add', 'add', 'add'])

    await shop.refunded(order, { amount: 500n })
    expect(statesOf(await shop.itemsOf({ customerId }))).toEqual([ACTIVE, ACTIVE, ACTIVE])
    await shop.refunded(order, { amount: 999n, lines: [{ position: 1, quantity: 1 }] })
    const partial = await shop.itemsOf({ customerId })
    expect(statesOf(partial)).toEqual([ACTIVE, REVOKED, ACTIVE])
    expect(partial[1]).toMatchObject({ revokeReason: RevokeReason.REFUND, revokedAt: expect.anything() })
    expect(partial[1]?.revokedBy).toBeUndefined()
    await expectExecuted(delivery, shop, ['refund'])

    await shop.chargedBack(order)
    const charged = await shop.itemsOf({ customerId })
    expect(statesOf(charged)).toEqual([REVOKED, REVOKED, REVOKED])
    const { CHARGEBACK } = RevokeReason
    expect(charged.map(({ revokeReason }) => revokeReason)).toEqual([CHARGEBACK, CHARGEBACK, CHARGEBACK])
    await expectExecuted(delivery, shop, ['ban', 'ban', 'ban'])

    await shop.won(order)
    expect(await execute(delivery, shop)).toEqual([])
    expect(statesOf(await shop.itemsOf({ customerId }))).toEqual([REVOKED, REVOKED, REVOKED])
    const { enqueuedCount } = await delivery.items.resendCommands(
      { gameServerId: shop.server.gameServerId, itemId: charged[0]?.id ?? '' },
      shop.options,
    )
    expect(enqueuedCount).toBe(1)
    await expectExecuted(delivery, shop, ['add'])
  })

  it('stays revoked by a refund when a command that was given out before is acknowledged, which is recorded', async () => {
    const shop = await openShop(delivery)
    const customerId = await shop.customer()
    const order = shop.order(customerId, [lineOf(await shop.product(everyStage))])
    await shop.created(order)
    const [attempt] = (await only(shop, customerId)).commandAttempts
    const attemptId = String(attempt?.id)
    // As if a poll had given it out (see `execute`).
    await delivery.database.query(sql`
      update command_attempt set leased_until = now() + interval '5 minutes' where id = ${attemptId}`)
    await shop.refunded(order, { amount: 999n })
    const { gameServerId, tokenEpoch, asServer } = shop.server
    const acknowledgement = { gameServerId, tokenEpoch, attemptIds: [attemptId], peerAddress: '192.0.2.7' }
    expect((await delivery.queue.acknowledgeCommands(acknowledgement, asServer)).executedCount).toBe(1)
    const item = await only(shop, customerId)
    expect(item).toMatchObject({ state: REVOKED, revokeReason: RevokeReason.REFUND })
    expect(summaryOf(item.commandAttempts)).toEqual(['on_purchase: add (executed)', 'on_refund: refund'])
    const executed = { executedAt: expect.anything(), executedByIp: '192.0.2.7', state: CommandAttemptState.EXECUTED }
    expect(item.commandAttempts[0]).toMatchObject(executed)
    expect(await eventsOf(delivery, attemptId)).toMatchObject([
      { type: 'delivery_command.executed', message: { attempt: executed } },
    ])
    expect((await eventsOf(delivery, item.id)).map(({ type }) => type)).toEqual([
      'delivery_item.added',
      'delivery_item.revoked',
    ])
  })

  it('of a full refund does not receive what was not executed yet', async () => {
    const shop = await openShop(delivery)
    const customerId = await shop.customer()
    const order = shop.order(customerId, [lineOf(await shop.product(everyStage))])
    await shop.created(order)
    await shop.refunded(order, { amount: 999n })
    const item = await only(shop, customerId)
    expect(item.state).toBe(REVOKED)
    expect(summaryOf(item.commandAttempts)).toEqual(['on_purchase: add (unqueued)', 'on_refund: refund'])
    await expectExecuted(delivery, shop, ['refund'])
    expect((await eventsOf(delivery, item.id)).map(({ type }) => type)).toEqual([
      'delivery_item.added',
      'delivery_item.revoked',
    ])
  })

  it('is revoked by an event of its order that arrives before the order', async () => {
    const shop = await openShop(delivery)
    const customerId = await shop.customer()
    const order = shop.order(customerId, [lineOf(await shop.product(everyStage))])
    await shop.chargedBack(order)
    await shop.created(order)
    const item = await only(shop, customerId)
    expect(item).toMatchObject({ state: REVOKED, revokeReason: RevokeReason.CHARGEBACK })
    await expectExecuted(delivery, shop, ['ban'])
  })

  it.each([
    [
      'refund',
      ['refund'],
      undefined,
      async (shop: Shop, order: ReturnType<Shop['order']>) => shop.refunded(order, { amount: 999n }),
    ],
    [
      'staff revoke',
      ['expire'],
      expect.anything(),
      async (shop: Shop, _: unknown, { customerId, id: itemId }: DeliveryItem) => {
        await delivery.items.revokeDeliveryItem({ customerId, itemId }, shop.options)
      },
    ],
  ] as const)('runs the commands of a chargeback once after a %s', async (_, commands, revokedBy, revoke) => {
    const shop = await openShop(delivery)
    const customerId = await shop.customer()
    const order = shop.order(customerId, [lineOf(await shop.product(everyStage))])
    await shop.created(order)
    await expectExecuted(delivery, shop, ['add'])
    await revoke(shop, order, await only(shop, customerId))
    await expectExecuted(delivery, shop, commands)
    const before = await only(shop, customerId)

    await shop.chargedBack(order)
    await expectExecuted(delivery, shop, ['ban'])
    const item = await only(shop, customerId)
    expect(item).toMatchObject({ state: REVOKED, revokeReason: RevokeReason.CHARGEBACK, revokedAt: before.revokedAt })
    expect(item.revokedBy).toEqual(revokedBy)
    expect((await eventsOf(delivery, item.id)).at(-1)).toMatchObject({
      type: 'delivery_item.revoked',
      message: { item: { revokeReason: RevokeReason.CHARGEBACK } },
    })
    await shop.chargedBack(order)
    expect(await execute(delivery, shop)).toEqual([])
  })

  it('of an expired product is charged back, too, because the commands of a chargeback often ban the customer', async () => {
    const shop = await openShop(delivery)
    const customerId = await shop.customer()
    const day = { removeAfterEnabled: true, removeAfterTimeValue: 1, removeAfterTimeScale: IntervalScale.DAY }
    const order = shop.order(customerId, [lineOf(await shop.product(everyStage, day))])
    await shop.created(order)
    await expectExecuted(delivery, shop, ['add'])
    delivery.clock.advance(25 * hourMs)
    await expectExecuted(delivery, shop, ['expire'])
    await shop.chargedBack(order)
    await expectExecuted(delivery, shop, ['ban'])
  })
})

describe('an item that expires', () => {
  it('is used a day after its activation, and runs its commands', async () => {
    const shop = await openShop(delivery)
    const customerId = await shop.customer()
    const day = { removeAfterEnabled: true, removeAfterTimeValue: 1, removeAfterTimeScale: IntervalScale.DAY }
    const bought = await shop.buy(await shop.product(everyStage, day), customerId)
    expect(bought).toMatchObject({ expirable: true })
    expect(bought.expiresAt).toBeUndefined()
    await expectExecuted(delivery, shop, ['add'])
    const active = await only(shop, customerId)
    const [activeAt, expiresAt] = [active.activeAt, active.expiresAt].map(
      (time) => time && timestampDate(time).getTime(),
    )
    expect(expiresAt).toBe((activeAt ?? 0) + 24 * hourMs)

    delivery.clock.advance(23 * hourMs)
    await expectNothing(delivery, shop)
    delivery.clock.advance(hourMs)
    await expectExecuted(delivery, shop, ['expire'])
    const used = await only(shop, customerId)
    expect(used).toMatchObject({ state: USED, removedAt: expect.anything(), version: 4n })
    const events = await eventsOf(delivery, used.id)
    expect(events.map(({ type, version }) => [type, version])).toEqual([
      ['delivery_item.added', '1'],
      ['delivery_item.activated', '2'],
      ['delivery_item.expired', '3'],
      ['delivery_item.used', '4'],
    ])
  })
})

describe('an item of a product or server that has changed since', () => {
  it('keeps its commands when the product is deleted, and loses the open commands with the server', async () => {
    const shop = await openShop(delivery)
    const customerId = await shop.customer()
    const product = await shop.product(everyStage)
    const order = shop.order(customerId, [lineOf(product)])
    await shop.created(order)
    await shop.publishVersion({ ...product, versionId: randomId(), version: 2n }, [], {}, 'deleted')
    await delivery.client.deleteGameServer({ gameServerId: shop.server.gameServerId }, shop.options)
    const commands = async () => summaryOf((await only(shop, customerId)).commandAttempts)
    await expect.poll(commands).toEqual(['on_purchase: add (unqueued)'])
    await shop.refunded(order, { amount: 999n })
    expect(await only(shop, customerId)).toMatchObject({ state: REVOKED })
  })
})
