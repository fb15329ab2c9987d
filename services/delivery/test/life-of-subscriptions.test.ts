import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { eventsOf, randomId } from '@storekeep/common/testing'
import { DeliveryItemState } from '@storekeep/proto/delivery/v1/delivery_item'
import { SubscriptionStatus } from '@storekeep/proto/orders/v1/subscription'
import { describe, expect, it } from 'vitest'
import { everyStage, expectExecuted, expectNothing, hourMs, statesOf } from './life.ts'
import { type Bought, lineOf, openShop, summaryOf, useShops } from './shop.ts'

const delivery = useShops()
const { ACTIVE, USED, RENEWED } = DeliveryItemState

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
    await expectExecuted(delivery, shop, ['add'])

    for (const number of [1, 2]) {
      delivery.clock.advance(monthMs)
      await shop.created(shop.order(customerId, [line], orderOf(number)))
      await shop.subscription('renewed', at(number, BigInt(number + 1)))
      await expectExecuted(delivery, shop, ['renew'])
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
    await expectNothing(delivery, shop)
    await shop.subscription('updated', at(2, 4n, { status: SubscriptionStatus.PAST_DUE }))
    await expectExecuted(delivery, shop, ['expire'])
    await shop.subscription('canceled', at(2, 5n, { status: SubscriptionStatus.CANCELED }))
    expect((await shop.itemsOf({ customerId })).at(-1)?.state).toBe(USED)
  })

  it('that the customer cancels ends with its paid period, and not before', async () => {
    const shop = await openShop(delivery)
    const customerId = await shop.customer()
    const { line, orderOf, at } = subscriptionOf(await shop.product(everyStage))
    await shop.created(shop.order(customerId, [line], orderOf(0)))
    await expectExecuted(delivery, shop, ['add'])
    await shop.subscription('updated', at(0, 2n, { cancelAtPeriodEnd: true }))
    delivery.clock.advance(monthMs - hourMs)
    await expectNothing(delivery, shop)
    delivery.clock.advance(hourMs)
    await expectExecuted(delivery, shop, ['expire'])
  })

  it('whose renewal is never reported ends a day after its period', async () => {
    const shop = await openShop(delivery)
    const customerId = await shop.customer()
    const { line, orderOf } = subscriptionOf(await shop.product(everyStage))
    await shop.created(shop.order(customerId, [line], orderOf(0)))
    await expectExecuted(delivery, shop, ['add'])
    delivery.clock.advance(monthMs + 23 * hourMs)
    await expectNothing(delivery, shop)
    delivery.clock.advance(hourMs)
    await expectExecuted(delivery, shop, ['expire'])
  })

  it('runs the same commands if its first order arrives after its renewal', async () => {
    const shop = await openShop(delivery)
    const customerId = await shop.customer()
    const { line, orderOf } = subscriptionOf(await shop.product(everyStage))
    await shop.created(shop.order(customerId, [line], orderOf(1)))
    await shop.created(shop.order(customerId, [line], orderOf(0)))
    await expectExecuted(delivery, shop, ['add', 'renew'])
    expect(statesOf(await shop.itemsOf({ customerId }))).toEqual([ACTIVE, RENEWED])
  })

  it('that is paid again after its item has expired delivers again', async () => {
    const shop = await openShop(delivery)
    const customerId = await shop.customer()
    const { line, orderOf, at } = subscriptionOf(await shop.product(everyStage))
    await shop.created(shop.order(customerId, [line], orderOf(0)))
    await expectExecuted(delivery, shop, ['add'])
    await shop.subscription('updated', at(0, 2n, { status: SubscriptionStatus.PAST_DUE }))
    delivery.clock.advance(monthMs + hourMs)
    await expectExecuted(delivery, shop, ['expire'])
    await shop.created(shop.order(customerId, [line], orderOf(1)))
    await expectExecuted(delivery, shop, ['add'])
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
    await expectExecuted(delivery, shop, ['refund'])
  })
})
