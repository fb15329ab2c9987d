import { countEvents, faultOf, retryUnavailable } from '@storekeep/common/testing'
import { Game } from '@storekeep/proto/stores/v1/store'
import { afterAll, describe, expect, it } from 'vitest'
import { type FakeProvider, hang, startFakeProvider } from './fake-provider.ts'
import { inStore, useCustomers } from './harness.ts'

let server: FakeProvider
const customers = useCustomers(async (env) => {
  server = await startFakeProvider()
  return {
    ...env,
    PROFILE_PROVIDERS: 'mojang',
    MOJANG_BASE_URL: server.url,
    MINECRAFT_AVATAR_URL: 'https://avatars.example/{uuid}',
  }
})
afterAll(() => server.close())

let counter = 0
function newPlayer(): { name: string; uuid: string } {
  counter += 1
  return { name: `Player_${counter}`, uuid: `069a79f4-44e9-4726-a5be-${String(counter).padStart(12, '0')}` }
}

/** Signs in and returns the customer. */
async function whoIs(id: string, storeId: string, platform = 'minecraft') {
  const { customerToken: token } = await retryUnavailable(() =>
    customers.client.signIn({ platform, id }, inStore(storeId)),
  )
  const { customer } = await customers.client.verifyToken({ token }, inStore(storeId))
  if (!customer) throw new Error('VerifyToken returned no customer')
  return customer
}

describe('SignIn with Mojang configured', () => {
  it('displays the account of the name and adopts nothing else of it', async () => {
    const { name, uuid } = newPlayer()
    server.mojang(uuid, name)
    const storeId = customers.stores.add()
    const customer = await whoIs(name.toLowerCase(), storeId)
    expect(customer).toMatchObject({
      minecraft: { id: name, name },
      profile: { id: name, name, avatarUrl: `https://avatars.example/${uuid}`, claimed: true },
    })
    expect(customer.minecraftUuid).toBeUndefined()
    const found = customers.client.lookupCustomer({ minecraftUuid: uuid }, inStore(storeId))
    expect(await faultOf(found)).toMatchObject({ code: 'not-found' })
  })

  it('by the UUID of an account signs in its typed name, never the customer with this verified UUID', async () => {
    const { name, uuid } = newPlayer()
    server.mojang(uuid, name)
    const storeId = customers.stores.add()
    const verified = await customers.client.createCustomer({ customer: { minecraftUuid: uuid } }, inStore(storeId))
    const customer = await whoIs(uuid.replaceAll('-', '').toUpperCase(), storeId, 'minecraft_uuid')
    expect(customer).toMatchObject({ profile: { id: name, claimed: true } })
    expect(customer.minecraftUuid).toBeUndefined()
    expect(customer.id).not.toBe(verified.customer?.id)
    expect((await whoIs(name, storeId)).id).toBe(customer.id)
  })

  it('rejects a UUID without an account, a malformed UUID, and a UUID of an offline-mode server', async () => {
    const storeId = customers.stores.add()
    const unknown = '069a79f4-44e9-4726-a5be-ffffffffffff'
    const rejected = { code: 'validation-failed', violations: [{ path: 'id', validation: 'reference' }] }
    expect(await faultOf(whoIs(unknown, storeId, 'minecraft_uuid'))).toMatchObject(rejected)
    expect(await faultOf(whoIs('Robin', storeId, 'minecraft_uuid'))).toMatchObject({
      violations: [{ path: 'id', validation: 'format' }],
    })
    const offline = customers.stores.add(Game.MINECRAFT_OFFLINE)
    expect(await faultOf(whoIs(unknown, offline, 'minecraft_uuid'))).toMatchObject({ code: 'platform-not-allowed' })
    expect(await countEvents(customers, storeId)).toBe(0)
  })

  it('rejects a name without an account and creates no customer', async () => {
    const storeId = customers.stores.add()
    expect(await faultOf(whoIs('Missing', storeId))).toMatchObject({
      code: 'validation-failed',
      violations: [{ path: 'id', validation: 'reference' }],
    })
    expect(await countEvents(customers, storeId)).toBe(0)
  })

  it.each([
    ['offline store', Game.MINECRAFT_OFFLINE, 'minecraft', 'Missing'],
    ['Geyser store', Game.MINECRAFT_GEYSER, 'minecraft', 'Missing'],
    ['Bedrock player', Game.MINECRAFT, 'minecraft_bedrock_name', 'Missing'],
  ])('skips the lookup for a %s', async (_what, game, platform, name) => {
    const count = server.requests.length
    await whoIs(name, customers.stores.add(game), platform)
    expect(server.requests.length).toBe(count)
  })

  it.each([
    ['hangs', hang],
    ['fails', (response: { writeHead(status: number): { end(): unknown } }) => response.writeHead(503).end()],
    ['returns another account', { id: 'f'.repeat(32), name: 'SomebodyElse' }],
  ])('creates the customer even if the provider %s', async (_how, fake) => {
    const { name, uuid } = newPlayer()
    server.respond(name, fake)
    const storeId = customers.stores.add()
    const customer = await whoIs(name, storeId)
    expect(customer).toMatchObject({ minecraft: { id: name, name } })
    expect(customer.minecraftUuid).toBeUndefined()
    // The name resolves to the same customer once the provider is back.
    server.mojang(uuid, name)
    expect((await whoIs(name, storeId)).id).toBe(customer.id)
  })

  it('creates one customer for 32 concurrent first sign-ins', async () => {
    const { name, uuid } = newPlayer()
    server.mojang(uuid, name)
    const storeId = customers.stores.add()
    const all = await Promise.all(Array.from({ length: 32 }, () => whoIs(name, storeId)))
    expect(new Set(all.map(({ id }) => id)).size).toBe(1)
    expect(server.requests.filter((path) => path.endsWith(`/${name}`))).toHaveLength(1)
  })
})
