import { timestampDate, timestampFromMs } from '@bufbuild/protobuf/wkt'
import { eventsOf, randomId } from '@storekeep/common/testing'
import { IntervalScale } from '@storekeep/proto/checkout/v1/product'
import {
  CommandAttemptState,
  type DeliveryItem,
  DeliveryItemState,
  RevokeReason,
} from '@storekeep/proto/delivery/v1/delivery_item'
import { SubscriptionStatus } from '@storekeep/proto/orders/v1/subscription'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { type Bought, lineOf, openShop, type Shop, stage, summaryOf, useShops } from './shop.ts'

const delivery = useShops()

const everyStage = [
  stage('ON_PURCHASE', 'add'),
  stage('ON_RENEW', 'renew'),
  stage('ON_EXPIRE', 'expire'),
  stage('ON_REFUND', 'refund'),
  stage('ON_CHARGEBACK', 'ban'),
]

/**
 * The server of the store executes every command that is pending, without a poll: the clock of these tests is ahead of the
 * database, by which polls decide what is due.
 * @returns the commands, in order
 */
async function execute({ server, storeId }: Shop): Promise<string[]> {
  const { gameServerId, asServer } = server
  const pending = await delivery.database.query<{ id: string; command: string }>(sql`
    select id, command from command_attempt where store_id = ${storeId} and state = 'pending' order by id`)
  const attemptIds = pending.map(({ id }) => id)
  await delivery.queue.acknowledgeCommands({ gameServerId, attemptIds, peerAddress: '192.0.2.7' }, asServer)
  return pending.map(({ command }) => command)
}

/** Waits until the server has received these commands, in order. */
async function expectExecuted(shop: Shop, expected: readonly string[]): Promise<void> {
  const executed: string[] = []
  const receive = async () => executed.push(...(await execute(shop)))
  await expect.poll(receive).toBeGreaterThanOrEqual(expected.length)
  expect(executed).toEqual(expected)
}

/** Nothing is to be executed, even after the sweep has let an item of another customer expire. */
async function expectNothing(shop: Shop): Promise<void> {
  const { productId } = await shop.product([])
  const overrideExpiresAt = timestampFromMs(delivery.clock.now().getTime() + 1000)
  const grants = [{ customerId: await shop.customer(), productId, quantity: 1, overrideExpiresAt }]
  const [item] = (await delivery.items.grantDeliveryItems({ grants }, shop.options)).items
  const isUsed = async () => {
    const [found] = await shop.itemsOf({ customerId: item?.customerId ?? '' })
    return found?.state
  }
  await expect.poll(isUsed).toBe(DeliveryItemState.USED)
  expect(await execute(shop)).toEqual([])
}

const statesOf = (items: readonly DeliveryItem[]) => items.map(({ state }) => state)
const { USABLE, ACTIVE, USED, REVOKED, RENEWED } = DeliveryItemState

async function only(shop: Shop, customerId: string): Promise<DeliveryItem> {
  const [item, ...others] = await shop.itemsOf({ customerId })
  if (!item || others.length > 0) throw new Error('the customer has not exactly one item')
  return item
}

describe('an item', () => {
  it('is usable until its first command was executed, and then active', async () => {
    const shop = await openShop(delivery)
    const customerId = await shop.customer()
    const bought = await shop.buy(await shop.product(everyStage), customerId)
    expect(bought.state).toBe(USABLE)
    await expectExecuted(shop, ['add'])
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
    await expectExecuted(shop, ['add', 'add', 'add'])

    await shop.refunded(order, { amount: 500n })
    expect(statesOf(await shop.itemsOf({ customerId }))).toEqual([ACTIVE, ACTIVE, ACTIVE])
    await shop.refunded(order, { amount: 999n, lines: [{ position: 1, quantity: 1 }] })
    const partial = await shop.itemsOf({ customerId })
    expect(statesOf(partial)).toEqual([ACTIVE, REVOKED, ACTIVE])
    expect(partial[1]).toMatchObject({ revokeReason: RevokeReason.REFUND, revokedAt: expect.anything() })
    expect(partial[1]?.revokedBy).toBeUndefined()
    await expectExecuted(shop, ['refund'])

    await shop.chargedBack(order)
    const charged = await shop.itemsOf({ customerId })
    expect(statesOf(charged)).toEqual([REVOKED, REVOKED, REVOKED])
    const { CHARGEBACK } = RevokeReason
    expect(charged.map(({ revokeReason }) => revokeReason)).toEqual([CHARGEBACK, CHARGEBACK, CHARGEBACK])
    await expectExecuted(shop, ['ban', 'ban', 'ban'])

    await shop.won(order)
    expect(await execute(shop)).toEqual([])
    expect(statesOf(await shop.itemsOf({ customerId }))).toEqual([REVOKED, REVOKED, REVOKED])
    const { enqueuedCount } = await delivery.items.resendCommands(
      { gameServerId: shop.server.gameServerId, itemId: charged[0]?.id ?? '' },
      shop.options,
    )
    expect(enqueuedCount).toBe(1)
    await expectExecuted(shop, ['add'])
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
    const { gameServerId, asServer } = shop.server
    const acknowledgement = { gameServerId, attemptIds: [attemptId], peerAddress: '192.0.2.7' }
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
    await expectExecuted(shop, ['refund'])
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
    await expectExecuted(shop, ['ban'])
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
    await expectExecuted(shop, ['add'])
    await revoke(shop, order, await only(shop, customerId))
    await expectExecuted(shop, commands)
    const before = await only(shop, customerId)

    await shop.chargedBack(order)
    await expectExecuted(shop, ['ban'])
    const item = await only(shop, customerId)
    expect(item).toMatchObject({ state: REVOKED, revokeReason: RevokeReason.CHARGEBACK, revokedAt: before.revokedAt })
    expect(item.revokedBy).toEqual(revokedBy)
    expect((await eventsOf(delivery, item.id)).at(-1)).toMatchObject({
      type: 'delivery_item.revoked',
      message: { item: { revokeReason: RevokeReason.CHARGEBACK } },
    })
    await shop.chargedBack(order)
    expect(await execute(shop)).toEqual([])
  })

  it('of an expired product is charged back, too, because the commands of a chargeback often ban the customer', async () => {
    const shop = await openShop(delivery)
    const customerId = await shop.customer()
    const day = { removeAfterEnabled: true, removeAfterTimeValue: 1, removeAfterTimeScale: IntervalScale.DAY }
    const order = shop.order(customerId, [lineOf(await shop.product(everyStage, day))])
    await shop.created(order)
    await expectExecuted(shop, ['add'])
    delivery.clock.advance(25 * hourMs)
    await expectExecuted(shop, ['expire'])
    await shop.chargedBack(order)
    await expectExecuted(shop, ['ban'])
  })
})

const hourMs = 3_600_000

describe('an item that expires', () => {
  it('is used a day after its activation, and runs its commands', async () => {
    const shop = await openShop(delivery)
    const customerId = await shop.customer()
    const day = { removeAfterEnabled: true, removeAfterTimeValue: 1, removeAfterTimeScale: IntervalScale.DAY }
    const bought = await shop.buy(await shop.product(everyStage, day), customerId)
    expect(bought).toMatchObject({ expirable: true })
    expect(bought.expiresAt).toBeUndefined()
    await expectExecuted(shop, ['add'])
    const active = await only(shop, customerId)
    const [activeAt, expiresAt] = [active.activeAt, active.expiresAt].map(
      (time) => time && timestampDate(time).getTime(),
    )
    expect(expiresAt).toBe((activeAt ?? 0) + 24 * hourMs)

    delivery.clock.advance(23 * hourMs)
    await expectNothing(shop)
    delivery.clock.advance(hourMs)
    await expectExecuted(shop, ['expire'])
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

/** A subscription of one line whose first period begins now. */
function subscriptionOf(bought: Bought) {
  const id = randomId()
  const start = delivery.clock.now().getTime()
  const periodOf = (number: number) => ({
    start: timestampFromMs(start + number * monthMs),
    end: timestampFromMs(start + (number + 1) * monthMs),
  })
  return {
    id,
    line: lineOf(bought, { subscription: true }),
    /** The fields of the order of a period, counting from 0. */
    orderOf: (number: number) => ({ subscriptionId: id, subscriptionPeriod: periodOf(number), renewal: number > 0 }),
    /** The subscription in a period. */
    at: (number: number, version: bigint, fields = {}) => ({
      id,
      version,
      currentPeriodStart: periodOf(number).start,
      currentPeriodEnd: periodOf(number).end,
      ...fields,
    }),
    endOf: (number: number) => periodOf(number).end,
  }
}

const monthMs = 30 * 24 * hourMs

describe('a subscription', () => {
  it('that is bought, renewed twice and not paid again ends with its period', async () => {
    const shop = await openShop(delivery)
    const customerId = await shop.customer()
    const { line, orderOf, at, endOf } = subscriptionOf(await shop.product(everyStage))
    // Not the first line of the order, although it is the first one of a renewal.
    const other = lineOf(await shop.product([]), { name: 'Other' })
    await shop.created(shop.order(customerId, [other, line], orderOf(0)))
    await shop.subscription('created', at(0, 1n))
    await expectExecuted(shop, ['add'])

    for (const number of [1, 2]) {
      delivery.clock.advance(monthMs)
      await shop.created(shop.order(customerId, [line], orderOf(number)))
      await shop.subscription('renewed', at(number, BigInt(number + 1)))
      await expectExecuted(shop, ['renew'])
    }
    const [, ...periods] = await shop.itemsOf({ customerId })
    expect(statesOf(periods)).toEqual([RENEWED, RENEWED, ACTIVE])
    expect(periods.at(-1)?.expiresAt).toEqual(endOf(2))
    expect((await eventsOf(delivery, periods[0]?.id)).map(({ type }) => type)).toEqual([
      'delivery_item.added',
      'delivery_item.activated',
      'delivery_item.renewed',
    ])

    // A renewal that is reported late is still a renewal.
    delivery.clock.advance(monthMs + hourMs)
    await expectNothing(shop)
    await shop.subscription('updated', at(2, 4n, { status: SubscriptionStatus.PAST_DUE }))
    await expectExecuted(shop, ['expire'])
    await shop.subscription('canceled', at(2, 5n, { status: SubscriptionStatus.CANCELED }))
    expect((await shop.itemsOf({ customerId })).at(-1)?.state).toBe(USED)
  })

  it('that the customer cancels ends with its paid period, and not before', async () => {
    const shop = await openShop(delivery)
    const customerId = await shop.customer()
    const { line, orderOf, at } = subscriptionOf(await shop.product(everyStage))
    await shop.created(shop.order(customerId, [line], orderOf(0)))
    await expectExecuted(shop, ['add'])
    await shop.subscription('updated', at(0, 2n, { cancelAtPeriodEnd: true }))
    delivery.clock.advance(monthMs - hourMs)
    await expectNothing(shop)
    delivery.clock.advance(hourMs)
    await expectExecuted(shop, ['expire'])
  })

  it('whose renewal is never reported ends a day after its period', async () => {
    const shop = await openShop(delivery)
    const customerId = await shop.customer()
    const { line, orderOf } = subscriptionOf(await shop.product(everyStage))
    await shop.created(shop.order(customerId, [line], orderOf(0)))
    await expectExecuted(shop, ['add'])
    delivery.clock.advance(monthMs + 23 * hourMs)
    await expectNothing(shop)
    delivery.clock.advance(hourMs)
    await expectExecuted(shop, ['expire'])
  })

  it('runs the same commands if its first order arrives after its renewal', async () => {
    const shop = await openShop(delivery)
    const customerId = await shop.customer()
    const { line, orderOf } = subscriptionOf(await shop.product(everyStage))
    await shop.created(shop.order(customerId, [line], orderOf(1)))
    await shop.created(shop.order(customerId, [line], orderOf(0)))
    await expectExecuted(shop, ['add', 'renew'])
    expect(statesOf(await shop.itemsOf({ customerId }))).toEqual([ACTIVE, RENEWED])
  })

  it('that is paid again after its item has expired delivers again', async () => {
    const shop = await openShop(delivery)
    const customerId = await shop.customer()
    const { line, orderOf, at } = subscriptionOf(await shop.product(everyStage))
    await shop.created(shop.order(customerId, [line], orderOf(0)))
    await expectExecuted(shop, ['add'])
    await shop.subscription('updated', at(0, 2n, { status: SubscriptionStatus.PAST_DUE }))
    delivery.clock.advance(monthMs + hourMs)
    await expectExecuted(shop, ['expire'])
    await shop.created(shop.order(customerId, [line], orderOf(1)))
    await expectExecuted(shop, ['add'])
  })

  it('that is refunded does not execute what an earlier period still owes', async () => {
    const shop = await openShop(delivery)
    const customerId = await shop.customer()
    const { line, orderOf } = subscriptionOf(await shop.product(everyStage))
    await shop.created(shop.order(customerId, [line], orderOf(0)))
    const renewal = shop.order(customerId, [line], orderOf(1))
    await shop.created(renewal)
    await shop.refunded(renewal, { amount: 999n })
    const attempts = (await shop.itemsOf({ customerId })).flatMap(({ commandAttempts }) => commandAttempts)
    expect(summaryOf(attempts)).toEqual([
      'on_purchase: add (unqueued)',
      'on_renew: renew (unqueued)',
      'on_refund: refund',
    ])
    await expectExecuted(shop, ['refund'])
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
