import { countEvents, eventsOf, faultOf, randomId, retryUnavailable, violationsOf } from '@storekeep/common/testing'
import { Game } from '@storekeep/proto/stores/v1/store'
import { describe, expect, it } from 'vitest'
import { createTestCustomer, inStore, newSteamId, useCustomers } from './harness.ts'

const customers = useCustomers()

async function findOrCreate(platform: string, id: string, storeId: string) {
  const call = () => customers.client.findOrCreateCustomer({ platform, id }, inStore(storeId))
  const { customer } = await retryUnavailable(call)
  if (!customer) throw new Error('FindOrCreateCustomer returned no customer')
  return customer
}

const uuid = '069a79f4-44e9-4726-a5be-fca90e38aaf5'

describe('FindOrCreateCustomer', () => {
  it.each([
    ['steam', newSteamId(), 'steamId', undefined],
    ['minecraft_uuid', uuid.replaceAll('-', '').toUpperCase(), 'minecraftUuid', uuid],
    ['xbox_xuid', '2533274792395000', 'xboxXuid', undefined],
  ])('creates the customer of a %s account once and finds it afterwards', async (platform, id, field, stored = id) => {
    const storeId = randomId()
    const created = await findOrCreate(platform, id, storeId)
    expect(created).toMatchObject({ storeId, [field]: stored, metadata: {} })
    expect(await findOrCreate(platform, id, storeId)).toEqual(created)
    expect(await eventsOf(customers, created.id)).toMatchObject([
      { type: 'customer.created', message: { customer: { id: created.id } } },
    ])
    expect((await findOrCreate(platform, id, randomId())).id).not.toBe(created.id)
  })

  it('finds the customer that the store created', async () => {
    const options = inStore()
    const steamId = newSteamId()
    const customer = await createTestCustomer(customers, options, { steamId, name: 'Robin' })
    expect(await findOrCreate('steam', steamId, options.storeId)).toEqual(customer)
  })

  it.each([
    ['steam', newSteamId()],
    ['minecraft', 'Steve'],
  ])('returns one customer for 32 concurrent calls (%s)', async (platform, id) => {
    const storeId = customers.stores.add()
    const all = await Promise.all(Array.from({ length: 32 }, () => findOrCreate(platform, id, storeId)))
    expect(new Set(all.map((one) => one.id)).size).toBe(1)
    expect(await countEvents(customers, storeId)).toBe(1)
  })

  it('resolves a typed name to the customer that signs in with it, never to a customer that the store created', async () => {
    const storeId = customers.stores.add(Game.MINECRAFT)
    const own = await createTestCustomer(customers, inStore(storeId), { minecraftUuid: uuid, name: 'Notch' })
    const created = await findOrCreate('minecraft_java_name', 'Notch', storeId)
    expect(created.id).not.toBe(own.id)
    const { customerToken: token } = await customers.client.signIn(
      { platform: 'minecraft', id: 'nOTCH' },
      inStore(storeId),
    )
    const { customer } = await customers.client.verifyToken({ token }, inStore(storeId))
    expect(customer?.id).toBe(created.id)
    expect((await findOrCreate('minecraft', 'NOTCH', storeId)).id).toBe(created.id)
  })

  it('strips the Bedrock prefix like SignIn', async () => {
    const storeId = customers.stores.add(Game.MINECRAFT_GEYSER)
    const marked = await findOrCreate('minecraft', '.Mr Bedrock', storeId)
    expect((await findOrCreate('minecraft_bedrock_name', 'Mr Bedrock', storeId)).id).toBe(marked.id)
  })

  it('finds a customer by id and by its name, the oldest first, and creates none', async () => {
    const options = inStore()
    const robin = await createTestCustomer(customers, options, { name: 'Robin' })
    await createTestCustomer(customers, options, { name: 'robin' })
    expect(await findOrCreate('service', robin.id, options.storeId)).toEqual(robin)
    expect(await findOrCreate('service_name', 'ROBIN', options.storeId)).toEqual(robin)
    for (const [platform, id] of [
      ['service', randomId()],
      ['service_name', 'Rob'],
    ] as const) {
      const call = customers.client.findOrCreateCustomer({ platform, id }, options)
      expect(await violationsOf(call)).toEqual(['id reference'])
    }
    const elsewhere = customers.client.findOrCreateCustomer({ platform: 'service', id: robin.id }, inStore())
    expect(await violationsOf(elsewhere)).toEqual(['id reference'])
    expect(await countEvents(customers, options.storeId)).toBe(2)
  })

  it.each([
    ['', 'x', 'platform enum'],
    ['service', 'x', 'id format'],
    ['service_name', '', 'id length'],
    ['service_name', 'x'.repeat(129), 'id length'],
    ['service_name', 'a\0', 'id pattern'],
    ['playstation', 'x', 'platform enum'],
    ['steam', '7', 'id format'],
    ['minecraft_uuid', 'x', 'id format'],
    ['xbox_xuid', 'x', 'id format'],
    ['minecraft', 'no name!', 'id pattern'],
    ['minecraft_bedrock_name', '', 'id length'],
  ])('rejects the platform %j with the id %j: %s', async (platform, id, item) => {
    const storeId = customers.stores.add()
    const call = customers.client.findOrCreateCustomer({ platform, id }, inStore(storeId))
    expect(await violationsOf(call)).toEqual([item])
  })

  it('rejects names in a store without named players', async () => {
    const storeId = customers.stores.add(Game.RUST)
    const call = customers.client.findOrCreateCustomer({ platform: 'minecraft', id: 'Notch' }, inStore(storeId))
    expect(await violationsOf(call)).toEqual(['platform enum'])
  })

  it('returns service-unavailable while the stores service is down', async () => {
    const storeId = customers.stores.add()
    customers.stores.isDown = true
    const fault = await faultOf(
      customers.client.findOrCreateCustomer({ platform: 'minecraft', id: 'Notch' }, inStore(storeId)),
    ).finally(() => {
      customers.stores.isDown = false
    })
    expect(fault).toMatchObject({ code: 'service-unavailable' })
  })
})
