import { CommandAttemptState } from '@storekeep/proto/delivery/v1/delivery_item'
import sql, { raw } from 'sql-template-tag'
import { expect, it } from 'vitest'
import { upsertJoins } from '../src/queue/db/join-repository.ts'
import { openShop, type Shop, stage, useShops } from './shop.ts'

const delivery = useShops()
const steamId = '76561198000000001'
const minecraftUuid = '069a79f4-44e9-4726-a5be-fca90e38aaf5'
const customer = { steamId, minecraftUuid, minecraft: { id: minecraftUuid, name: 'Robin' } }
const ipAddress = '192.0.2.77'

async function join({ storeId, server }: Shop, customerId: string): Promise<number> {
  const joined = { storeId, customerId, gameServerId: server.gameServerId, joinedAt: new Date(), ipAddress }
  return (await delivery.database.transaction((tx) => upsertJoins(tx, [joined]))).length
}

/** The tables that contain an identity or an address of the customer of a store. */
async function tablesWithIdentities({ storeId }: Shop): Promise<string[]> {
  const secrets = `(${[steamId, minecraftUuid, 'Robin', ipAddress].join('|')})`
  const found: string[] = []
  for (const table of ['command_attempt', 'delivery_item', 'player', 'player_join']) {
    const rows = await delivery.database.query(sql`
      select from ${raw(table)} as any_row where store_id = ${storeId} and any_row::text ~ ${secrets}`)
    if (rows.length > 0) found.push(table)
  }
  return found
}

it('the deletion of a customer removes the identities and addresses, and unqueues what was not executed', async () => {
  const shop = await openShop(delivery)
  const [deleted, kept] = [await shop.customer(customer), await shop.customer({ name: 'Kim' })]
  const product = await shop.product([stage('ON_PURCHASE', 'add {customer.name} {customer.steam.id}')])
  await shop.buy(product, deleted)
  const { gameServerId, tokenEpoch, asServer } = shop.server
  const { commands } = await delivery.queue.pollCommands(
    { gameServerId, tokenEpoch, anyPlayer: true, waitMs: 10_000 },
    asServer,
  )
  expect(commands).toMatchObject([{ command: `add Robin ${steamId}` }])
  await delivery.queue.acknowledgeCommands(
    { gameServerId, tokenEpoch, attemptIds: commands.map(({ attemptId }) => attemptId) },
    asServer,
  )
  await shop.buy(product, deleted)
  await shop.buy(await shop.product([stage('ON_PURCHASE', 'add {customer.name}')]), kept)
  expect([await join(shop, deleted), await join(shop, kept)]).toEqual([1, 1])
  await delivery.database.query(sql`
    update player_join set ip_address = '192.0.2.78' where store_id = ${shop.storeId} and customer_id = ${kept}`)
  expect(await tablesWithIdentities(shop)).toEqual(['command_attempt', 'player', 'player_join'])

  await shop.deleteCustomer(deleted, 2n)
  expect(await tablesWithIdentities(shop)).toEqual([])
  const template = 'add {customer.name} {customer.steam.id}'
  const items = await shop.itemsOf({ customerId: deleted })
  expect(items.map(({ commandAttempts }) => commandAttempts)).toMatchObject([
    [{ state: CommandAttemptState.EXECUTED, command: template }],
    [{ state: CommandAttemptState.UNQUEUED, command: template }],
  ])
  const [other] = await shop.itemsOf({ customerId: kept })
  expect(other?.commandAttempts).toMatchObject([{ state: CommandAttemptState.PENDING, command: 'add Kim' }])
  // A report of a game server that was under way keeps nothing, either.
  expect([await join(shop, deleted), await join(shop, kept)]).toEqual([0, 1])
})

it('the deletion of a customer removes the identities from the executed commands of gifts that the customer gave', async () => {
  const shop = await openShop(delivery)
  const [deleted, kept] = [await shop.customer(customer), await shop.customer({ name: 'Kim' })]
  const template = 'say {customer.name} got a gift from {buyer.name}'
  await shop.buy(await shop.product([stage('ON_PURCHASE', template)]), deleted, { giftToCustomerId: kept })
  const { gameServerId, tokenEpoch, asServer } = shop.server
  const { commands } = await delivery.queue.pollCommands(
    { gameServerId, tokenEpoch, anyPlayer: true, waitMs: 10_000 },
    asServer,
  )
  expect(commands).toMatchObject([{ command: 'say Kim got a gift from Robin' }])
  const attemptIds = commands.map(({ attemptId }) => attemptId)
  await delivery.queue.acknowledgeCommands({ gameServerId, tokenEpoch, attemptIds }, asServer)
  await shop.deleteCustomer(deleted, 2n)
  expect(await tablesWithIdentities(shop)).toEqual([])
  const [item] = await shop.itemsOf({ customerId: kept })
  expect(item?.commandAttempts).toMatchObject([{ state: CommandAttemptState.EXECUTED, command: template }])
})
