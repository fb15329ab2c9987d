import { countEvents, eventsOf, faultOf, operator, retryUnavailable, violationsOf } from '@storekeep/common/testing'
import { Game } from '@storekeep/proto/stores/v1/store'
import { describe, expect, it } from 'vitest'
import { createTestCustomer, inStore, useCustomers } from './harness.ts'

const customers = useCustomers()
const day = 24 * 3600 * 1000

const signIn = (platform: string, id: string, storeId: string) =>
  customers.client.signIn({ platform, id }, inStore(storeId))

/** Signs in and returns the customer. */
async function whoIs(platform: string, id: string, storeId: string) {
  const { customerToken: token } = await retryUnavailable(() => signIn(platform, id, storeId))
  const { customer, claimed } = await customers.client.verifyToken({ token }, inStore(storeId))
  if (!customer) throw new Error('VerifyToken returned no customer')
  return { ...customer, claimed, edition: customer.minecraftPlatform === 2 ? 'java' : 'bedrock' }
}

describe('SignIn', () => {
  it('creates the customer of a name and mints a claimed token', async () => {
    const storeId = customers.stores.add()
    const customer = await whoIs('minecraft', 'Notch', storeId)
    expect(customer).toMatchObject({
      storeId,
      claimed: true,
      edition: 'java',
      minecraft: { id: 'Notch', name: 'Notch' },
      profile: { id: 'Notch', platform: 'minecraft', name: 'Notch', claimed: true },
    })
    expect(customer.name ?? customer.minecraftUuid).toBeUndefined()
    expect(await eventsOf(customers, customer.id)).toMatchObject([
      { type: 'customer.created', message: { customer: { id: customer.id } } },
    ])
  })

  it('leads the same name to the same customer, with a new token each time', async () => {
    const storeId = customers.stores.add()
    const first = await whoIs('minecraft', 'Notch', storeId)
    expect((await whoIs('minecraft_java_name', 'nOTCH', storeId)).id).toBe(first.id)
    const tokens = await Promise.all([1, 2, 3].map(() => signIn('minecraft', 'Notch', storeId)))
    expect(new Set(tokens.map(({ customerToken }) => customerToken)).size).toBe(3)
    expect((await whoIs('minecraft', 'Notch', customers.stores.add())).id).not.toBe(first.id)
    expect(await countEvents(customers, storeId)).toBe(1)
  })

  it('creates one customer for 32 concurrent first sign-ins', async () => {
    const storeId = customers.stores.add()
    const all = await Promise.all(Array.from({ length: 32 }, () => whoIs('minecraft', 'Steve', storeId)))
    expect(new Set(all.map(({ id }) => id)).size).toBe(1)
    expect(await countEvents(customers, storeId)).toBe(1)
  })

  it('mints tokens that are valid for a day', async () => {
    const storeId = customers.stores.add()
    const { customerToken: token } = await signIn('minecraft', 'Notch', storeId)
    customers.clock.advance(day)
    await customers.client.verifyToken({ token }, inStore(storeId))
    customers.clock.advance(61_000)
    expect(await faultOf(customers.client.verifyToken({ token }, inStore(storeId)))).toMatchObject({
      code: 'unauthorized',
    })
  })

  it.each([
    [Game.MINECRAFT, 'minecraft', 'Notch', 'java', 'Notch'],
    [Game.MINECRAFT_OFFLINE, 'minecraft', 'a_', 'java', 'a_'],
    [Game.MINECRAFT_OFFLINE, 'minecraft_bedrock_name', 'Mr Bedrock 7', 'bedrock', 'Mr Bedrock 7'],
    [Game.MINECRAFT_GEYSER, 'minecraft', 'Notch', 'java', 'Notch'],
    [Game.MINECRAFT_GEYSER, 'minecraft', '*Mr Bedrock', 'bedrock', 'Mr Bedrock'],
    [Game.MINECRAFT_GEYSER, 'minecraft_bedrock_name', '*Mr Bedrock', 'bedrock', 'Mr Bedrock'],
    [Game.MINECRAFT_GEYSER, 'minecraft_bedrock_name', 'Mr Bedrock', 'bedrock', 'Mr Bedrock'],
    [Game.MINECRAFT, 'minecraft_bedrock_name', '*Star', 'bedrock', '*Star'],
  ])('game %i, %s %s: a %s player named %s', async (game, platform, id, edition, name) => {
    const player = await whoIs(platform, id, customers.stores.add(game, '*'))
    expect(player).toMatchObject({ edition, minecraft: { name } })
  })

  it('distinguishes Java and Bedrock players of the same name', async () => {
    const storeId = customers.stores.add(Game.MINECRAFT_GEYSER)
    const [java, bedrock] = [await whoIs('minecraft', 'Steve', storeId), await whoIs('minecraft', '.Steve', storeId)]
    expect(java.id).not.toBe(bedrock.id)
    expect((await whoIs('minecraft_bedrock_name', 'STEVE', storeId)).id).toBe(bedrock.id)
  })

  it.each([
    ['minecraft', '', 'id required'],
    ['minecraft', 'a', 'id pattern'],
    ['minecraft', 'a'.repeat(17), 'id pattern'],
    ['minecraft', 'Mr Bedrock', 'id pattern'],
    ['minecraft', 'Nötch', 'id pattern'],
    ['minecraft', '.Notch', 'id pattern'],
    ['minecraft_java_name', 'a b', 'id pattern'],
    ['minecraft_bedrock_name', '', 'id length'],
    ['minecraft_bedrock_name', 'a'.repeat(33), 'id length'],
    ['minecraft_bedrock_name', ' a', 'id pattern'],
    ['minecraft_bedrock_name', 'a\nb', 'id pattern'],
    ['minecraft_bedrock_name', 'a\0', 'id pattern'],
    ['Minecraft', 'Notch', 'platform enum'],
    ['playstation', 'Notch', 'platform enum'],
    ['', 'Notch', 'platform required'],
  ])('rejects %s %j: %s', async (platform, id, expected) => {
    const storeId = customers.stores.add()
    expect(await violationsOf(signIn(platform, id, storeId))).toEqual([expected])
    expect(await countEvents(customers, storeId)).toBe(0)
  })

  it('rejects an empty gamertag after the prefix and a Java name with the prefix', async () => {
    const storeId = customers.stores.add(Game.MINECRAFT_GEYSER)
    expect(await violationsOf(signIn('minecraft', '.', storeId))).toEqual(['id length'])
    expect(await violationsOf(signIn('minecraft_java_name', '.Steve', storeId))).toEqual(['id pattern'])
  })

  it('returns platform-not-allowed for other platforms and games', async () => {
    const storeId = customers.stores.add()
    for (const platform of ['steam', 'minecraft_uuid', 'xbox_xuid']) {
      expect(await faultOf(signIn(platform, 'x', storeId))).toMatchObject({ code: 'platform-not-allowed' })
    }
    for (const game of [Game.RUST, Game.UNSPECIFIED, 99 as Game]) {
      const call = signIn('minecraft', 'Notch', customers.stores.add(game))
      expect(await faultOf(call)).toMatchObject({ code: 'platform-not-allowed' })
    }
  })

  it('returns not-found for an unknown store and caches known stores for 5 s', async () => {
    expect(await faultOf(signIn('minecraft', 'Notch', inStore().storeId))).toMatchObject({ code: 'not-found' })
    const storeId = customers.stores.add()
    await signIn('minecraft', 'Notch', storeId)
    const { calls } = customers.stores
    await signIn('minecraft', 'Notch', storeId)
    expect(customers.stores.calls).toBe(calls)
    customers.clock.advance(5001)
    customers.stores.isDown = true
    expect(await faultOf(signIn('minecraft', 'Notch', storeId))).toMatchObject({ code: 'service-unavailable' })
    customers.stores.isDown = false
  })

  it('mints tokens that can be revoked', async () => {
    const storeId = customers.stores.add()
    const { id } = await whoIs('minecraft', 'Notch', storeId)
    const { customerToken: token } = await signIn('minecraft', 'Notch', storeId)
    await customers.client.revokeTokens({ customerId: id }, inStore(storeId))
    expect(await faultOf(customers.client.verifyToken({ token }, inStore(storeId)))).toMatchObject({
      code: 'unauthorized',
    })
    expect((await whoIs('minecraft', 'Notch', storeId)).id).toBe(id)
    await customers.client.revokeStoreTokens({}, operator({ storeId }))
    expect((await whoIs('minecraft', 'Notch', storeId)).id).toBe(id)
  })

  it('never finds a customer that the store created with the same name', async () => {
    const storeId = customers.stores.add()
    const named = await createTestCustomer(customers, inStore(storeId), { name: 'Alex' })
    expect((await whoIs('minecraft', 'Alex', storeId)).id).not.toBe(named.id)
  })
})
