import { countEvents, eventsOf, faultOf, randomId, retryUnavailable, violationsOf } from '@storekeep/common/testing'
import { Game } from '@storekeep/proto/stores/v1/store'
import { describe, expect, it } from 'vitest'
import { createTestCustomer, inStore, newSteamId, useCustomers } from './harness.ts'

const customers = useCustomers()

async function findOrCreate(platform: string, id: string, storeId: string) {
  const call = () => customers.client.findOrCreateCustomer({ platform, id }, inStore(storeId))
  const { customer } = await retryUnavailable(call)
  if (!customer) throw new Error('FindOrCreateCustomer answered no customer')
  return customer
}

const uuid = '069a79f4-44e9-4726-a5be-fca90e38aaf5'

describe('FindOrCreateCustomer', () => {
  it.each([
    ['steam', newSteamId(), 'steamId', undefined],
    ['minecraft_uuid', uuid.replaceAll('-', '').toUpperCase(), 'minecraftUuid', uuid],
    ['xbox_xuid', '2533274792395000', 'xboxXuid', undefined],
  ])(
    'makes the customer of an account of %s once, and finds it ever after',
    async (platform, id, member, kept = id) => {
      const storeId = randomId()
      const made = await findOrCreate(platform, id, storeId)
      expect(made).toMatchObject({ storeId, [member]: kept, metadata: {} })
      expect(await findOrCreate(platform, id, storeId)).toEqual(made)
      expect(await eventsOf(customers, made.id)).toMatchObject([
        { type: 'customer.created', message: { customer: { id: made.id } } },
      ])
      expect((await findOrCreate(platform, id, randomId())).id).not.toBe(made.id)
    },
  )

  it('finds the customer that the store made', async () => {
    const options = inStore()
    const steamId = newSteamId()
    const customer = await createTestCustomer(customers, options, { steamId, name: 'Robin' })
    expect(await findOrCreate('steam', steamId, options.storeId)).toEqual(customer)
  })

  it.each([
    ['steam', newSteamId()],
    ['minecraft', 'Steve'],
  ])('answers 32 calls at once with one customer (%s)', async (platform, id) => {
    const storeId = customers.stores.add()
    const all = await Promise.all(Array.from({ length: 32 }, () => findOrCreate(platform, id, storeId)))
    expect(new Set(all.map((one) => one.id)).size).toBe(1)
    expect(await countEvents(customers, storeId)).toBe(1)
  })

  it('takes a typed name for the customer who signs in with it, and never for one that the store made', async () => {
    const storeId = customers.stores.add(Game.MINECRAFT)
    const own = await createTestCustomer(customers, inStore(storeId), { minecraftUuid: uuid, name: 'Notch' })
    const made = await findOrCreate('minecraft_java_name', 'Notch', storeId)
    expect(made.id).not.toBe(own.id)
    const { customerToken: token } = await customers.client.signIn(
      { platform: 'minecraft', id: 'nOTCH' },
      inStore(storeId),
    )
    const { customer } = await customers.client.verifyToken({ token }, inStore(storeId))
    expect(customer?.id).toBe(made.id)
    expect((await findOrCreate('minecraft', 'NOTCH', storeId)).id).toBe(made.id)
  })

  it('reads the mark of a Bedrock player as sign-in does', async () => {
    const storeId = customers.stores.add(Game.MINECRAFT_GEYSER)
    const marked = await findOrCreate('minecraft', '.Mr Bedrock', storeId)
    expect((await findOrCreate('minecraft_bedrock_name', 'Mr Bedrock', storeId)).id).toBe(marked.id)
  })

  it.each([
    ['', 'x', 'platform enum'],
    ['playstation', 'x', 'platform enum'],
    ['steam', '7', 'id format'],
    ['minecraft_uuid', 'x', 'id format'],
    ['xbox_xuid', 'x', 'id format'],
    ['minecraft', 'no name!', 'id pattern'],
    ['minecraft_bedrock_name', '', 'id length'],
  ])('refuses %j with the id %j: %s', async (platform, id, item) => {
    const storeId = customers.stores.add()
    const call = customers.client.findOrCreateCustomer({ platform, id }, inStore(storeId))
    expect(await violationsOf(call)).toEqual([item])
  })

  it('refuses names in a store whose players have none', async () => {
    const storeId = customers.stores.add(Game.RUST)
    const call = customers.client.findOrCreateCustomer({ platform: 'minecraft', id: 'Notch' }, inStore(storeId))
    expect(await violationsOf(call)).toEqual(['platform enum'])
  })

  it('says that it cannot know while the store cannot be asked', async () => {
    const storeId = customers.stores.add()
    customers.stores.away = true
    const fault = await faultOf(
      customers.client.findOrCreateCustomer({ platform: 'minecraft', id: 'Notch' }, inStore(storeId)),
    ).finally(() => {
      customers.stores.away = false
    })
    expect(fault).toMatchObject({ code: 'service-unavailable' })
  })
})
