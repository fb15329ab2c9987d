import { eventsOf, faultOf, retryUnavailable } from '@storekeep/common/testing'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import type { Customer } from '@storekeep/proto/customers/v1/customer'
import sql from 'sql-template-tag'
import { afterAll, describe, expect, it } from 'vitest'
import { createTokenCodec } from '../src/tokens/steps/customer-token.ts'
import { type FakeProvider, startFakeProvider } from './fake-provider.ts'
import { createTestCustomer, inStore, minimumEpoch, missedRedisWrites, newSteamId, useCustomers } from './harness.ts'

let server: FakeProvider
const customers = useCustomers(async (env) => {
  server = await startFakeProvider()
  return { ...env, PROFILE_PROVIDERS: 'mojang', MOJANG_BASE_URL: server.url }
})
afterAll(() => server.close())

let counter = 0
function newPlayer() {
  counter += 1
  return { name: `Player_${counter}`, uuid: `069a79f4-44e9-4726-a5be-${String(counter).padStart(12, '0')}` }
}

async function typeName(storeId: string, id: string): Promise<string> {
  const call = () => customers.client.signIn({ platform: 'minecraft', id }, inStore(storeId))
  return (await retryUnavailable(call)).customerToken
}

/** The customer of a token; undefined if the token is rejected. */
async function readBy(token: string, storeId: string): Promise<Customer | undefined> {
  const reading = customers.client.verifyToken({ token }, inStore(storeId))
  const { customer } = await reading.catch((fault: { code: string }) => {
    expect(fault.code).toBe('unauthorized')
    return { customer: undefined }
  })
  return customer
}

async function lookup(storeId: string, request: Parameters<typeof customers.client.lookupCustomer>[0]) {
  const { customer } = await customers.client.lookupCustomer(request, inStore(storeId)).catch((fault) => {
    expect(fault).toMatchObject({ code: 'not-found' })
    return { customer: undefined }
  })
  return customer
}

async function change(storeId: string, customerId: string, customer: Record<string, unknown>, ...paths: string[]) {
  const request = { customerId, customer, updateMask: { paths } }
  const response = await customers.client.updateCustomer(request, inStore(storeId))
  return response.customer
}

const link = (storeId: string, customerId: string, minecraftUuid: string) =>
  change(storeId, customerId, { minecraftUuid }, 'minecraft_uuid')

/** A store with a claimed customer, its player and a token of someone who typed the name. */
async function aClaim() {
  const storeId = customers.stores.add()
  const player = newPlayer()
  server.mojang(player.uuid, player.name)
  const token = await typeName(storeId, player.name)
  const customer = await readBy(token, storeId)
  if (!customer) throw new Error('VerifyToken returned no customer')
  return { storeId, ...player, token, id: customer.id }
}

describe('a typed name and a verified account', () => {
  it('are never the same customer unless the store links them, in any order of what can happen', async () => {
    const orders = permutations(['type', 'create', 'link', 'answer', 'rename'] as const).filter(
      (order) => order.indexOf('answer') < order.indexOf('rename'),
    )
    expect(orders).toHaveLength(60)
    const queue = orders.values()
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        for (const order of queue) await replay(order)
      }),
    )
  })

  /** Runs the steps in a new store and checks after each of them what a typed token and a verified lookup reach. */
  async function replay(order: readonly Step[]): Promise<void> {
    const storeId = customers.stores.add()
    const { name, uuid } = newPlayer()
    server.respond(name, (response) => response.writeHead(503).end())
    server.respond(uuid.replaceAll('-', ''), (response) => response.writeHead(503).end())
    let typed: { id: string; token: string } | undefined
    let verified: string | undefined
    let linked: string | undefined

    const steps: Record<Step, () => Promise<unknown>> = {
      async type() {
        const token = await typeName(storeId, name)
        const customer = await readBy(token, storeId)
        expect(customer?.profile?.claimed).toBe(true)
        typed = { token, id: customer?.id ?? '' }
      },
      async create() {
        const creation = customers.client.createCustomer(
          { customer: { minecraftUuid: uuid, name: 'Real', metadata: { secret: 'x' } } },
          inStore(storeId),
        )
        if (linked === undefined) verified = (await creation).customer?.id
        else expect(await faultOf(creation)).toMatchObject(takenBy(linked))
      },
      async link() {
        if (!typed) return
        await change(storeId, typed.id, { name: 'Note', metadata: { note: 'x' } }, 'name', 'metadata')
        if (verified === undefined) linked = (await link(storeId, typed.id, uuid))?.id
        else expect(await faultOf(link(storeId, typed.id, uuid))).toMatchObject(takenBy(verified))
      },
      answer: async () => server.mojang(uuid, name),
      async rename() {
        server.mojang(newPlayer().uuid, name)
        server.mojang(uuid, newPlayer().name)
      },
    }
    for (const step of order) {
      await steps[step]()
      const reached = typed && (await readBy(typed.token, storeId))
      if (linked !== undefined) expect(reached, order.join()).toBeUndefined()
      else if (typed) expect(reached, order.join()).toMatchObject({ id: typed.id, metadata: {} })
      for (const field of ['minecraftUuid', 'steamId', 'xboxXuid', 'name'] as const)
        expect(reached?.[field]).toBeUndefined()
      const found = await lookup(storeId, { minecraftUuid: uuid })
      expect([found?.id, found?.profile?.claimed ?? false], order.join()).toEqual([linked ?? verified, false])
    }
    // The store updates the customer that it finds; a player who types the name again cannot read the changes.
    const found = await lookup(storeId, { minecraftUuid: uuid })
    if (found) await change(storeId, found.id, { metadata: { secret: 'y' } }, 'metadata')
    const again = await readBy(await typeName(storeId, name), storeId)
    expect(again?.profile?.claimed).toBe(true)
    expect([verified, linked]).not.toContain(again?.id)
    expect(again?.metadata).toEqual({})
  }

  it('stay apart when the provider answers after the store has created or linked the customer', async () => {
    const storeId = customers.stores.add()
    const { name, uuid } = newPlayer()
    const answers: (() => void)[] = []
    server.respond(name, (response) => {
      answers.push(() => response.writeHead(200).end(JSON.stringify({ id: uuid.replaceAll('-', ''), name })))
    })
    const late = typeName(storeId, name)
    await expect.poll(() => answers.length).toBe(1)
    const own = await createTestCustomer(customers, inStore(storeId), { minecraftUuid: uuid })
    for (const answer of answers) answer()
    const typed = await readBy(await late, storeId)
    expect(typed?.id).not.toBe(own.id)
    expect(typed?.minecraftUuid).toBeUndefined()
    expect((await lookup(storeId, { minecraftUuid: uuid }))?.id).toBe(own.id)
  })

  it('stay apart for gifts by account id and by name, and in a bulk creation', async () => {
    const { storeId, name, uuid, id } = await aClaim()
    const gift = async (platform: string, account: string) =>
      (await customers.client.findOrCreateCustomer({ platform, id: account }, inStore(storeId))).customer
    const byUuid = await gift('minecraft_uuid', uuid)
    expect([byUuid?.id === id, byUuid?.profile?.claimed]).toEqual([false, false])
    expect((await gift('minecraft', name))?.id).toBe(id)
    const other = await aClaim()
    const bulk = { customers: [{ minecraftUuid: other.uuid }] }
    const { customers: created } = await customers.client.bulkCreateCustomers(bulk, inStore(other.storeId))
    expect(created[0]?.id).not.toBe(other.id)
  })

  it('a lookup by name finds the verified customer first, whichever is older', async () => {
    const { storeId, name, uuid, id } = await aClaim()
    expect(await lookup(storeId, { minecraftJavaName: name })).toMatchObject({ id, profile: { claimed: true } })
    const own = await createTestCustomer(customers, inStore(storeId), { minecraftUuid: uuid })
    await expect.poll(async () => (await lookup(storeId, { minecraftJavaName: name }))?.id).toBe(own.id)
    expect(await lookup(storeId, { minecraftJavaName: name })).toMatchObject({ profile: { claimed: false } })
  })
})

describe('linking a claimed customer', () => {
  it('keeps its id and what the store wrote, and drops what was typed', async () => {
    const { storeId, name, id } = await aClaim()
    await change(storeId, id, { metadata: { rank: 'vip' } }, 'metadata')
    const xboxXuid = '2535428504324680'
    const linked = await change(storeId, id, { xboxXuid }, 'xbox_xuid')
    expect(linked).toMatchObject({
      id,
      xboxXuid,
      metadata: { rank: 'vip' },
      profile: { platform: 'service', claimed: false },
    })
    expect(linked?.minecraft ?? linked?.minecraftPlatform).toBeUndefined()
    expect(await lookup(storeId, { minecraftJavaName: name })).toBeUndefined()
    const { customers: found } = await customers.client.listCustomers({ search: name }, inStore(storeId))
    expect(found).toEqual([])
    expect((await eventsOf(customers, id)).map(({ type }) => type)).toEqual([
      'customer.created',
      'customer.updated',
      'customer.updated',
      'customer.tokens_revoked',
    ])
    // A claim cannot be restored: a customer without the id counts as created by the store.
    const unlinked = await change(storeId, id, { name: 'x' }, 'name', 'xbox_xuid')
    expect(unlinked?.profile?.claimed).toBe(false)
  })

  it('shows its tokens nothing that the store wrote before, and ends them and its portal sessions', async () => {
    const { storeId, token, id, uuid } = await aClaim()
    await change(storeId, id, { name: 'Real', metadata: { secret: 'x' } }, 'name', 'metadata')
    expect(await readBy(token, storeId)).toMatchObject({ id, metadata: {} })
    expect((await readBy(token, storeId))?.name).toBeUndefined()
    const { token: minted } = await customers.client.mintToken({ customerId: id }, inStore(storeId))
    expect(await readBy(minted, storeId)).toMatchObject({ name: 'Real', metadata: { secret: 'x' } })
    const [opened, unopened] = [await aPortalLink(storeId, id), await aPortalLink(storeId, id)]
    const { secret } = await customers.client.exchangePortalToken({ token: opened }, byPages(storeId))
    const missed = missedRedisWrites(customers)
    await link(storeId, id, uuid)
    expect([await readBy(token, storeId), await readBy(minted, storeId)]).toEqual([undefined, undefined])
    const portal = customers.client.getPortalCustomer({ secret }, byPages(storeId))
    expect(await faultOf(portal)).toMatchObject({ code: 'unauthorized' })
    const unused = customers.client.exchangePortalToken({ token: unopened }, byPages(storeId))
    expect(await faultOf(unused)).toMatchObject({ code: 'unauthorized' })
    if (missedRedisWrites(customers) === missed) expect(await minimumEpoch(customers, storeId, id)).toBe('1')
  })

  it('rejects a claimed token of the current epoch, as a concurrent sign-in can mint', async () => {
    const { storeId, id, uuid } = await aClaim()
    await link(storeId, id, uuid)
    const { keys } = customers.config.tokens
    const codec = createTokenCodec(keys, { clock: customers.clock, randomBytes: (size) => Buffer.alloc(size, 7) })
    const token = (claimed: boolean) =>
      codec.mint({ storeId, customerId: id, customerEpoch: 1, storeEpoch: 0, claimed })
    expect((await readBy(token(false), storeId))?.id).toBe(id)
    expect(await readBy(token(true), storeId)).toBeUndefined()
  })

  it('leaves no claimed token of the customer valid, in 20 rounds with concurrent sign-ins', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { storeId, name, uuid, id } = await aClaim()
      const before = Array.from({ length: 4 }, () => typeName(storeId, name))
      const [tokens] = await Promise.all([Promise.all(before), link(storeId, id, uuid)])
      for (const token of tokens) expect((await readBy(token, storeId))?.id).not.toBe(id)
    }
  })

  it('names the customer that already has the id and changes nothing', async () => {
    const { storeId, id, token, uuid } = await aClaim()
    const steamId = newSteamId()
    const own = await createTestCustomer(customers, inStore(storeId), { minecraftUuid: uuid })
    const other = await createTestCustomer(customers, inStore(storeId), { steamId })
    const fault = await faultOf(change(storeId, id, { minecraftUuid: uuid, steamId }, 'minecraft_uuid', 'steam_id'))
    expect(fault).toMatchObject({
      code: 'conflict',
      violations: [
        { path: 'steam_id', message: `belongs to customer ${other.id} of this store` },
        { path: 'minecraft_uuid', message: `belongs to customer ${own.id} of this store` },
      ],
    })
    expect(await readBy(token, storeId)).toMatchObject({ id, profile: { claimed: true } })
  })
})

describe('the database', () => {
  it('rejects a claimed customer with an account id, regardless of the writer', async () => {
    const { storeId, id, uuid } = await aClaim()
    const { database } = customers
    const inserted = database.query(sql`
      insert into customer (store_id, minecraft_uuid, sign_in_key, search_text, created_at)
      values (${storeId}, ${uuid}, 'java:alex', 'alex', now())`)
    await expect(inserted).rejects.toThrow('violates check constraint')
    const updated = database.query(sql`
      update customer set minecraft_uuid = ${uuid} where store_id = ${storeId} and id = ${id}`)
    await expect(updated).rejects.toThrow('violates check constraint')
  })

  it('rejects an XUID with leading zeros', async () => {
    const { id } = await createTestCustomer(customers, inStore(), { name: 'x' })
    const write = (xuid: string) =>
      customers.database.query(sql`update customer set xbox_xuid = ${xuid} where id = ${id}`)
    await expect(write('007')).rejects.toThrow('violates check constraint')
    await write('7')
  })
})

type Step = 'type' | 'create' | 'link' | 'answer' | 'rename'

function takenBy(customerId: string) {
  const message = `belongs to customer ${customerId} of this store`
  return { code: 'conflict', violations: [{ path: 'minecraft_uuid', validation: 'unique', message }] }
}

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]]
  return items.flatMap((item) => permutations(items.filter((one) => one !== item)).map((rest) => [item, ...rest]))
}

async function aPortalLink(storeId: string, customerId: string): Promise<string> {
  const { token } = await customers.client.createPortalSession({ customerId, expiresInSeconds: 600 }, inStore(storeId))
  return token
}

function byPages(storeId: string) {
  return { ...inStore(storeId), actor: { type: ActorType.ANONYMOUS } }
}
