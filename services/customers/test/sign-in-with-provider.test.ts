import { countEvents, eventsOf, faultOf, retryUnavailable } from '@storekeep/common/testing'
import { Game } from '@storekeep/proto/stores/v1/store'
import { afterAll, describe, expect, it } from 'vitest'
import { type FakeProvider, hang, startFakeProvider } from './fake-provider.ts'
import { createTestCustomer, inStore, useCustomers } from './harness.ts'

let server: FakeProvider
const customers = useCustomers(async (env) => {
  server = await startFakeProvider()
  return { ...env, PROFILE_PROVIDERS: 'mojang', MOJANG_BASE_URL: server.url, PROFILE_TIMEOUT_MS: '3000' }
})
afterAll(() => server.close())

let counter = 0
function newPlayer(): { name: string; uuid: string } {
  counter += 1
  return { name: `Player_${counter}`, uuid: `069a79f4-44e9-4726-a5be-${String(counter).padStart(12, '0')}` }
}

/** The customer that a sign-in leads to. */
async function whoIs(id: string, storeId: string, platform = 'minecraft') {
  const { customerToken: token } = await retryUnavailable(() =>
    customers.client.signIn({ platform, id }, inStore(storeId)),
  )
  const { customer } = await customers.client.verifyToken({ token }, inStore(storeId))
  if (!customer) throw new Error('VerifyToken answered no customer')
  return customer
}

describe('SignIn where Mojang can be asked', () => {
  it('takes the account of the name', async () => {
    const { name, uuid } = newPlayer()
    server.mojang(uuid, name)
    const storeId = customers.stores.add()
    const customer = await whoIs(name.toLowerCase(), storeId)
    expect(customer).toMatchObject({ minecraftUuid: uuid, minecraft: { id: uuid, name }, profile: { id: uuid, name } })
    const { customer: found } = await customers.client.lookupCustomer({ minecraftUuid: uuid }, inStore(storeId))
    expect(found?.id).toBe(customer.id)
  })

  it('refuses a name that no account has, and makes no customer', async () => {
    const storeId = customers.stores.add()
    expect(await faultOf(whoIs('Nobody', storeId))).toMatchObject({
      code: 'validation-failed',
      violations: [{ path: 'id', validation: 'reference' }],
    })
    expect(await countEvents(customers, storeId)).toBe(0)
  })

  it.each([
    ['offline store', Game.MINECRAFT_OFFLINE, 'minecraft', 'Nobody'],
    ['Geyser store', Game.MINECRAFT_GEYSER, 'minecraft', 'Nobody'],
    ['Bedrock player', Game.MINECRAFT, 'minecraft_bedrock_name', 'Nobody'],
  ])('does not ask for a %s', async (_what, game, platform, name) => {
    const asked = server.asked.length
    await whoIs(name, customers.stores.add(game), platform)
    expect(server.asked.length).toBe(asked)
  })

  it.each([
    ['hangs', hang],
    ['fails', (response: { writeHead(status: number): { end(): unknown } }) => response.writeHead(503).end()],
    ['lies', { id: 'f'.repeat(32), name: 'SomebodyElse' }],
  ])('makes the customer anyway when the provider %s', async (_how, answer) => {
    const { name, uuid } = newPlayer()
    server.answer(name, answer)
    const storeId = customers.stores.add()
    const customer = await whoIs(name, storeId)
    expect(customer).toMatchObject({ minecraft: { id: name, name } })
    expect(customer.minecraftUuid).toBeUndefined()
    // The same name opens the same customer also when the provider is back.
    server.mojang(uuid, name)
    expect((await whoIs(name, storeId)).id).toBe(customer.id)
  })

  it('makes one customer for 32 first sign-ins at once', async () => {
    const { name, uuid } = newPlayer()
    server.mojang(uuid, name)
    const storeId = customers.stores.add()
    const all = await Promise.all(Array.from({ length: 32 }, () => whoIs(name, storeId)))
    expect(new Set(all.map(({ id }) => id)).size).toBe(1)
    expect(server.asked.filter((path) => path.endsWith(`/${name}`))).toHaveLength(1)
  })

  it('leads a player with a new name to its customer, 16 times at once', async () => {
    const { name, uuid } = newPlayer()
    server.mojang(uuid, name)
    const storeId = customers.stores.add()
    const before = await whoIs(name, storeId)
    const renamed = newPlayer().name
    server.forget(name)
    server.mojang(uuid, renamed)
    const all = await Promise.all(Array.from({ length: 16 }, () => whoIs(renamed, storeId)))
    expect(new Set(all.map(({ id }) => id))).toEqual(new Set([before.id]))
    expect(all[0]).toMatchObject({ minecraft: { id: uuid, name: renamed }, version: 2n })
    expect((await eventsOf(customers, before.id)).map(({ type }) => type)).toEqual([
      'customer.created',
      'customer.updated',
    ])
  })

  it('never opens a customer that the store itself has made', async () => {
    const { name, uuid } = newPlayer()
    server.mojang(uuid, name)
    const storeId = customers.stores.add()
    const own = await createTestCustomer(customers, inStore(storeId), {
      minecraftUuid: uuid,
      metadata: { secret: 'x' },
    })
    const typed = await whoIs(name, storeId)
    expect(typed).toMatchObject({ minecraft: { name }, metadata: {} })
    expect(typed.id).not.toBe(own.id)
    expect((await whoIs(name, storeId)).id).toBe(typed.id)
  })
})
