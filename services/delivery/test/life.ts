import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { type DeliveryItem, DeliveryItemState } from '@storekeep/proto/delivery/v1/delivery_item'
import sql from 'sql-template-tag'
import { expect } from 'vitest'
import { type Shop, stage, type TestShops } from './shop.ts'

/** The commands of a product whose text names their stage. */
export const everyStage = [
  stage('ON_PURCHASE', 'add'),
  stage('ON_RENEW', 'renew'),
  stage('ON_EXPIRE', 'expire'),
  stage('ON_REFUND', 'refund'),
  stage('ON_CHARGEBACK', 'ban'),
]

export const hourMs = 3_600_000

/**
 * The server of the store executes every command that is pending, without a poll: the clock of these tests is ahead of the
 * database, by which polls decide what is due.
 * @returns the commands, in order
 */
export async function execute(delivery: TestShops, { server, storeId }: Shop): Promise<string[]> {
  const { gameServerId, tokenEpoch, asServer } = server
  const pending = await delivery.database.query<{ id: string; command: string }>(sql`
    select id, command from command_attempt where store_id = ${storeId} and state = 'pending' order by id`)
  const attemptIds = pending.map(({ id }) => id)
  await delivery.queue.acknowledgeCommands({ gameServerId, tokenEpoch, attemptIds, peerAddress: '192.0.2.7' }, asServer)
  return pending.map(({ command }) => command)
}

/** Waits until the server has received these commands, in order. */
export async function expectExecuted(delivery: TestShops, shop: Shop, expected: readonly string[]): Promise<void> {
  const executed: string[] = []
  const receive = async () => executed.push(...(await execute(delivery, shop)))
  await expect.poll(receive).toBeGreaterThanOrEqual(expected.length)
  expect(executed).toEqual(expected)
}

/** Nothing is to be executed, even after the sweep has let an item of another customer expire. */
export async function expectNothing(delivery: TestShops, shop: Shop): Promise<void> {
  const { productId } = await shop.product([])
  const overrideExpiresAt = timestampFromMs(delivery.clock.now().getTime() + 1000)
  const grants = [{ customerId: await shop.customer(), productId, quantity: 1, overrideExpiresAt }]
  const [item] = (await delivery.items.grantDeliveryItems({ grants }, shop.options)).items
  delivery.clock.advance(1000)
  const isUsed = async () => {
    const [found] = await shop.itemsOf({ customerId: item?.customerId ?? '' })
    return found?.state
  }
  await expect.poll(isUsed).toBe(DeliveryItemState.USED)
  expect(await execute(delivery, shop)).toEqual([])
}

export const statesOf = (items: readonly DeliveryItem[]) => items.map(({ state }) => state)

export async function only(shop: Shop, customerId: string): Promise<DeliveryItem> {
  const [item, ...others] = await shop.itemsOf({ customerId })
  if (!item || others.length > 0) throw new Error('the customer has not exactly one item')
  return item
}
