import type { Transaction } from '@storekeep/common/postgres'
import { eventsOf, faultOf, randomId, violationsOf, withKey } from '@storekeep/common/testing'
import { CommandStage } from '@storekeep/proto/checkout/v1/product'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import { MinecraftPlatform } from '@storekeep/proto/customers/v1/customer'
import { CommandAttemptState } from '@storekeep/proto/delivery/v1/delivery_item'
import { Game } from '@storekeep/proto/stores/v1/store'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { lockPlayers, type NewPlayer, upsertPlayers } from '../src/copies/db/player-repository.ts'
import { lockStores } from '../src/copies/db/store-copy-repository.ts'
import type { StoreGame } from '../src/copies/domain/player.ts'
import { releaseCommands } from '../src/items/steps/release-commands.ts'
import { lockQueue } from '../src/queue/db/poll-repository.ts'
import { inStore } from './harness.ts'
import { openShop, type Shop, stage, useShops } from './shop.ts'

const delivery = useShops()
const steamId = '76561198000000001'

async function attemptsOf(shop: Shop, customerId: string) {
  return (await shop.itemsOf({ customerId })).flatMap(({ commandAttempts }) => commandAttempts)
}

/** What a poll gives out. */
async function poll({ server }: Shop): Promise<string[]> {
  const { gameServerId, tokenEpoch, asServer } = server
  const { commands } = await delivery.queue.pollCommands({ gameServerId, tokenEpoch, anyPlayer: true }, asServer)
  return commands.map(({ command }) => command)
}

describe('a command without a value for a placeholder', () => {
  it('is blocked, names what is missing, and is released when the customer has it', async () => {
    const shop = await openShop(delivery)
    const customerId = await shop.customer({})
    await shop.buy(
      await shop.product([stage('ON_PURCHASE', 'o.grant {customer.steam.id} {customer.name}')]),
      customerId,
    )
    expect(await attemptsOf(shop, customerId)).toMatchObject([
      {
        state: CommandAttemptState.BLOCKED,
        command: 'o.grant {customer.steam.id} {customer.name}',
        missingPlaceholders: ['customer.steam.id', 'customer.name'],
      },
    ])
    expect(await poll(shop)).toEqual([])
    await shop.updateCustomer(customerId, 2n, { steamId })
    expect(await attemptsOf(shop, customerId)).toMatchObject([
      { state: CommandAttemptState.BLOCKED, missingPlaceholders: ['customer.name'] },
    ])
    await shop.updateCustomer(customerId, 3n, { steamId, name: 'Robin' })
    expect(await attemptsOf(shop, customerId)).toMatchObject([
      { state: CommandAttemptState.PENDING, missingPlaceholders: [], steamId, customerName: 'Robin' },
    ])
    await expect.poll(() => poll(shop)).toEqual([`o.grant ${steamId} Robin`])
  })

  it('is released when the customer arrives after the order', async () => {
    const shop = await openShop(delivery)
    const customerId = '411486491630370999'
    await shop.buy(await shop.product([stage('ON_PURCHASE', 'add {customer.name} {customer.id}')]), customerId)
    expect(await attemptsOf(shop, customerId)).toMatchObject([{ missingPlaceholders: ['customer.name'] }])
    await shop.updateCustomer(customerId, 1n, { name: 'Robin' })
    expect(await attemptsOf(shop, customerId)).toMatchObject([{ command: `add Robin ${customerId}` }])
  })

  it('of a gift is released when its giver has the value', async () => {
    const shop = await openShop(delivery)
    const [giver, recipient] = [await shop.customer({}), await shop.customer()]
    const product = await shop.product([stage('ON_PURCHASE', 'say {buyer.name}')])
    await shop.buy(product, giver, { giftToCustomerId: recipient })
    await shop.updateCustomer(giver, 2n, { name: 'Kim' })
    expect(await attemptsOf(shop, recipient)).toMatchObject([{ command: 'say Kim' }])
  })

  it('does not miss a value that arrives in the transaction of its order, because that locks the customer', async () => {
    expect(await valueDuringOrder({ isLocked: true })).toBe(CommandAttemptState.PENDING)
    // The negative control.
    expect(await valueDuringOrder({ isLocked: false })).toBe(CommandAttemptState.BLOCKED)
  })
})

/**
 * Queues a blocked command while the customer gets the missing value, as an order would.
 * @returns the state of the command after both
 */
async function valueDuringOrder({ isLocked }: { isLocked: boolean }): Promise<CommandAttemptState | undefined> {
  const { database } = delivery
  const shop = await openShop(delivery)
  const customerId = await shop.customer({})
  await shop.buy(await shop.product([stage('ON_PURCHASE', 'add {customer.name}')]), customerId)
  let applied = false
  let event = Promise.resolve()
  await database.transaction(async (tx) => {
    if (isLocked) await lockPlayers(tx, shop.storeId, [customerId])
    await tx.query(sql`
      insert into command_attempt
      select (jsonb_populate_record(attempt, jsonb_build_object('id', flake_id()))).* from command_attempt as attempt
      where store_id = ${shop.storeId} and customer_id = ${customerId}`)
    event = shop.updateCustomer(customerId, 2n, { name: 'Robin' }).then(() => {
      applied = true
    })
    const isWaiting = async () => {
      const waiting = await database.query(sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
      return applied || (isLocked && waiting.length > 0)
    }
    await expect.poll(isWaiting).toBe(true)
  })
  await event
  return (await attemptsOf(shop, customerId)).at(-1)?.state
}

describe('ReleaseCommand', () => {
  const content = 'add {customer.steam.id} {customer.name} {order.number}'
  const values = { 'customer.steam.id': steamId, 'customer.name': 'Robin Fox' }

  async function aBlockedCommand() {
    const shop = await openShop(delivery)
    const customerId = await shop.customer({})
    await shop.buy(await shop.product([stage('ON_PURCHASE', content)]), customerId)
    const [attempt] = await attemptsOf(shop, customerId)
    const attemptId = attempt?.id ?? ''
    const release = (given: Record<string, string>, options = shop.options) =>
      delivery.items.releaseCommand({ attemptId, values: given }, options)
    return { shop, customerId, attemptId, release }
  }

  it('gives a blocked command to its server, with values for the missing placeholders, once per key', async () => {
    const { shop, attemptId, release } = await aBlockedCommand()
    const keyed = withKey(shop.options)
    const { attempt } = await release(values, keyed)
    expect(attempt).toMatchObject({
      state: CommandAttemptState.PENDING,
      command: `add ${steamId} Robin_Fox 1042`,
      missingPlaceholders: [],
    })
    expect(await release(values, keyed)).toMatchObject({ attempt })
    expect(await faultOf(release(values))).toMatchObject({ code: 'conflict' })
    expect(await eventsOf(delivery, attemptId)).toMatchObject([
      { type: 'delivery_command.released', message: { attempt, releasedBy: { type: ActorType.API_KEY } } },
    ])
    await expect.poll(() => poll(shop)).toEqual([`add ${steamId} Robin_Fox 1042`])
  })

  it('names values that are missing, not needed, or cannot be part of a command, and releases nothing', async () => {
    const { shop, customerId, release } = await aBlockedCommand()
    expect(
      await violationsOf(release({ 'customer.steam.id': 'Robin', 'order.number': '1', 'customer.nmae': 'x' })),
    ).toEqual([
      'values.order.number reference',
      'values.customer.nmae reference',
      'values.customer.steam.id pattern',
      'values.customer.name required',
    ])
    expect(await violationsOf(release({ 'customer.name': '' }))).toEqual(['values.customer.name length'])
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`x${index}`, 'x']))
    expect(await violationsOf(release(many))).toEqual(['values max'])
    expect(await attemptsOf(shop, customerId)).toMatchObject([{ state: CommandAttemptState.BLOCKED }])
  })

  it('does not find a command of another store, and releases none that is not blocked', async () => {
    const { shop, customerId, release } = await aBlockedCommand()
    expect(await faultOf(release(values, inStore()))).toMatchObject({ code: 'not-found' })
    await shop.updateCustomer(customerId, 2n, { steamId, name: 'Kim' })
    expect(await faultOf(release(values))).toMatchObject({ code: 'conflict' })
    expect(await attemptsOf(shop, customerId)).toMatchObject([{ command: `add ${steamId} Kim 1042` }])
  })
})

describe('events of customers', () => {
  it('of two stores and of givers and recipients never wait for each other, because they lock all queues in one order', async () => {
    expect(await attemptsOfTwoBatches({ inOrder: true })).toBe(2)
    // The negative control: a deadlock, after which one of the transactions runs again.
    expect(await attemptsOfTwoBatches({ inOrder: false })).toBeGreaterThan(2)
  })
})

/**
 * Applies two batches of events of customers who gave each other gifts in two stores, each with the stores in another order.
 * @returns how often their transactions ran
 */
async function attemptsOfTwoBatches({ inOrder }: { inOrder: boolean }): Promise<number> {
  const { database } = delivery
  const shops = [await openShop(delivery), await openShop(delivery)]
  const pairs: { shop: Shop; giver: string; recipient: string }[] = []
  for (const shop of shops) {
    const [giver, recipient] = [await shop.customer({}), await shop.customer({})]
    const product = await shop.product([stage('ON_PURCHASE', 'say {customer.name} {buyer.name}')])
    await shop.buy(product, giver, { giftToCustomerId: recipient })
    await shop.buy(product, recipient, { giftToCustomerId: giver })
    pairs.push({ shop, giver, recipient })
  }
  const batches = [
    pairs.map(({ shop, giver }) => named(shop, giver)),
    pairs.toReversed().map(({ shop, recipient }) => named(shop, recipient)),
  ]
  const lockAll = (tx: Transaction) =>
    tx.query(sql`
      select from command_queue where store_id = any(${shops.map(({ storeId }) => storeId)}::bigint[]) for update`)
  let runs = 0
  const apply = (players: NewPlayer[]) =>
    database.transaction(async (tx) => {
      runs += 1
      await upsertPlayers(tx, players, () => undefined)
      const parts = inOrder ? [players] : players.map((player) => [player])
      for (const part of parts) await releaseCommands(tx, part, () => undefined, new Date())
    })
  let applied: Promise<void>[] = []
  await database.transaction(async (tx) => {
    await lockAll(tx)
    applied = batches.map(apply)
    const waiting = () =>
      database.query(sql`
        select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%command_queue%'`)
    await expect.poll(waiting).toHaveLength(2)
  })
  await Promise.all(applied)
  for (const { shop, giver, recipient } of pairs) {
    expect(await attemptsOf(shop, recipient)).toMatchObject([{ command: `say C${recipient} C${giver}` }])
    expect(await attemptsOf(shop, giver)).toMatchObject([{ command: `say C${giver} C${recipient}` }])
  }
  return runs
}

/** The next state of a customer, who has a name now. */
function named({ storeId }: Shop, customerId: string): NewPlayer {
  const unknown = { steamId: null, steamName: null, minecraftUuid: null, minecraftName: null, xboxXuid: null }
  return { storeId, customerId, name: `C${customerId}`, claimed: false, bedrock: false, ...unknown, version: '2' }
}

describe('an answer with more than a plain word', () => {
  const content = 'nick {variables.nick} {customer.name}'
  const customVariables = { nick: 'Foxy op' }

  it('is used by the own commands of a product, and blocks global ones, also when they are rendered again', async () => {
    const shop = await openShop(delivery)
    const globalCommand = { stage: CommandStage.ON_PURCHASE, content: `all ${content}` }
    await delivery.globals.createGlobalCommand({ globalCommand }, shop.options)
    const customerId = await shop.customer({})
    await shop.buy(await shop.product([stage('ON_PURCHASE', content)]), customerId, { customVariables })
    expect(await attemptsOf(shop, customerId)).toMatchObject([
      { missingPlaceholders: ['customer.name'] },
      { missingPlaceholders: ['variables.nick', 'customer.name'] },
    ])
    await shop.updateCustomer(customerId, 2n, { name: 'Robin' })
    expect(await attemptsOf(shop, customerId)).toMatchObject([
      { state: CommandAttemptState.PENDING, command: 'nick Foxy op Robin' },
      { state: CommandAttemptState.BLOCKED, missingPlaceholders: ['variables.nick'] },
    ])
  })

  it('blocks the commands of an item that is handed out without an order', async () => {
    const shop = await openShop(delivery)
    const customerId = await shop.customer()
    const { productId } = await shop.product([stage('ON_PURCHASE', content)])
    await delivery.items.grantDeliveryItems(
      { grants: [{ customerId, productId, quantity: 1, customVariables }] },
      shop.options,
    )
    expect(await attemptsOf(shop, customerId)).toMatchObject([{ missingPlaceholders: ['variables.nick'] }])
  })
})

describe('a command that waits for its player', () => {
  it('is not locked by new identities that wait for the queue, so that polls and they do not wait for each other', async () => {
    const { database } = delivery
    const shop = await openShop(delivery)
    const customerId = await shop.customer({})
    const commands = [stage('ON_PURCHASE', 'x', { onlineOnly: true }), stage('ON_PURCHASE', 'add {customer.name}')]
    await shop.buy(await shop.product(commands), customerId)
    let event = Promise.resolve()
    await database.transaction(async (tx) => {
      await lockQueue(tx, { storeId: shop.storeId, gameServerId: shop.server.gameServerId })
      event = shop.updateCustomer(customerId, 2n, { name: 'Robin' })
      const waiting = () =>
        database.query(sql`
          select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query like '%command_queue%'`)
      await expect.poll(waiting).not.toEqual([])
      await tx.query(sql`
        select from command_attempt where store_id = ${shop.storeId} and customer_id = ${customerId} for update nowait`)
    })
    await event
    expect(await attemptsOf(shop, customerId)).toMatchObject([{ customerName: 'Robin' }, { command: 'add Robin' }])
  })

  it('gets the new identities of the player', async () => {
    const shop = await openShop(delivery)
    const customerId = await shop.customer({ name: 'Robin' })
    await shop.buy(await shop.product([stage('ON_PURCHASE', 'x', { onlineOnly: true })]), customerId)
    await shop.updateCustomer(customerId, 2n, { name: 'Robin', steamId, steam: { id: steamId, name: 'Rob' } })
    expect(await attemptsOf(shop, customerId)).toMatchObject([{ steamId, customerName: 'Rob' }])
  })
})

describe('the name of a Bedrock player', () => {
  it('has the prefix of the store, also after it has changed', async () => {
    const shop = await openShop(delivery)
    await shop.publishStore(Game.MINECRAFT_GEYSER, '.')
    const minecraft = { id: '1', name: 'Robin Fox' }
    const customerId = await shop.customer({ minecraft, minecraftPlatform: MinecraftPlatform.BEDROCK })
    const namesOf = async () => {
      const [row] = await delivery.database.query<{ names: string[] }>(sql`
        select folded_names as names from player where store_id = ${shop.storeId} and customer_id = ${customerId}`)
      return row?.names
    }
    expect(await namesOf()).toEqual(['.robin_fox', '.robin fox'])
    const product = await shop.product([stage('ON_PURCHASE', 'add {customer.minecraft.name}')])
    expect((await shop.buy(product, customerId)).commandAttempts).toMatchObject([
      { command: 'add .Robin_Fox', customerName: '.Robin_Fox' },
    ])
    await shop.publishStore(Game.MINECRAFT_GEYSER, '*', 2n)
    expect(await namesOf()).toEqual(['*robin_fox', '*robin fox'])
  })

  it('is found and rendered if the store and the customer arrive concurrently, because the events lock the store', async () => {
    expect(await nameDuringFirstEventOfStore({ isLocked: true })).toEqual({ names: ['.robin'], command: 'add .Robin' })
    // The negative control.
    const missed = await nameDuringFirstEventOfStore({ isLocked: false })
    expect(missed).toEqual({ names: [], command: 'add {customer.minecraft.name}' })
  })

  it('blocks a command until the store has arrived', async () => {
    const shop = await openShop(delivery)
    const minecraft = { id: '1', name: 'Robin Fox' }
    const customerId = await shop.customer({ minecraft, minecraftPlatform: MinecraftPlatform.BEDROCK })
    await shop.buy(await shop.product([stage('ON_PURCHASE', 'add {customer.minecraft.name}')]), customerId)
    expect(await attemptsOf(shop, customerId)).toMatchObject([{ missingPlaceholders: ['customer.minecraft.name'] }])
    await shop.publishStore(Game.MINECRAFT_GEYSER, '.')
    expect(await attemptsOf(shop, customerId)).toMatchObject([
      { state: CommandAttemptState.PENDING, command: 'add .Robin_Fox', customerName: '.Robin_Fox' },
    ])
  })
})

/** Applies the first event of a store while the event of a Bedrock player is applied. @returns what is known of the player then */
async function nameDuringFirstEventOfStore({ isLocked }: { isLocked: boolean }) {
  const { database } = delivery
  const shop = await openShop(delivery)
  const { storeId } = shop
  const customerId = randomId()
  await shop.buy(await shop.product([stage('ON_PURCHASE', 'add {customer.minecraft.name}')]), customerId)
  const player = { ...named(shop, customerId), minecraftName: 'Robin', bedrock: true }
  let applied = false
  let event = Promise.resolve()
  await database.transaction(async (tx) => {
    const stores = isLocked ? await lockStores(tx, [storeId]) : new Map<string, StoreGame>()
    await upsertPlayers(tx, [player], (id) => stores.get(id))
    await releaseCommands(tx, [player], (id) => stores.get(id), new Date())
    event = shop.publishStore(Game.MINECRAFT_GEYSER, '.').then(() => {
      applied = true
    })
    const isWaiting = async () => {
      const waiting = await database.query(sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
      return applied || (isLocked && waiting.length > 0)
    }
    await expect.poll(isWaiting).toBe(true)
  })
  await event
  const [row] = await database.query<{ names: string[] }>(sql`
    select folded_names as names from player where store_id = ${storeId} and customer_id = ${customerId}`)
  return { names: row?.names, command: (await attemptsOf(shop, customerId))[0]?.command }
}
