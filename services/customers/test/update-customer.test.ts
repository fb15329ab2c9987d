import { eventsOf, faultOf, randomId, retryUnavailable, violationsOf, withKey } from '@storekeep/common/testing'
import { type Customer, MinecraftPlatform } from '@storekeep/proto/customers/v1/customer'
import { describe, expect, it } from 'vitest'
import { createTestCustomer, type Input, inStore, newSteamId, useCustomers } from './harness.ts'

const customers = useCustomers()

async function update(options: ReturnType<typeof inStore>, customerId: string, paths: string[], customer: Input = {}) {
  const response = await customers.client.updateCustomer({ customerId, customer, updateMask: { paths } }, options)
  return response.customer as Customer
}

const uuid = '069a79f4-44e9-4726-a5be-fca90e38aaf5'

describe('UpdateCustomer', () => {
  it('changes only the fields in the mask', async () => {
    const options = inStore()
    const before = await createTestCustomer(customers, options, {
      steamId: newSteamId(),
      name: 'Ada',
      metadata: { a: '1' },
    })
    const change = { name: 'Bob', xboxXuid: '7', metadata: { b: '2' } }
    const after = await update(options, before.id, ['name'], change)
    expect(after).toMatchObject({
      ...before,
      name: 'Bob',
      version: 2n,
      profile: { name: 'Bob' },
      updatedAt: expect.anything(),
    })
    expect((await customers.client.getCustomer({ customerId: before.id }, options)).customer).toEqual(after)
    const all = {
      steamId: newSteamId(),
      minecraftUuid: uuid.toUpperCase(),
      minecraftPlatform: MinecraftPlatform.BEDROCK,
      xboxXuid: '8',
      name: 'Cleo',
      metadata: { c: '3' },
    }
    const paths = ['steam_id', 'minecraft_uuid', 'minecraft_platform', 'xbox_xuid', 'name', 'metadata']
    expect(await update(options, before.id, paths, all)).toMatchObject({ ...all, minecraftUuid: uuid, version: 3n })
  })

  it('clears masked fields that the request omits', async () => {
    const options = inStore()
    const { id } = await createTestCustomer(customers, options, {
      steamId: newSteamId(),
      minecraftUuid: uuid,
      minecraftPlatform: MinecraftPlatform.JAVA,
      xboxXuid: '1',
      name: 'Ada',
      metadata: { a: '1' },
    })
    const after = await update(options, id, [
      'steam_id',
      'minecraft_uuid',
      'minecraft_platform',
      'xbox_xuid',
      'metadata',
    ])
    const { steamId, minecraftUuid, minecraftPlatform, xboxXuid } = after
    expect([steamId, minecraftUuid, minecraftPlatform, xboxXuid]).toEqual([undefined, undefined, undefined, undefined])
    expect(after).toMatchObject({ metadata: {}, profile: { platform: 'service', name: 'Ada' } })
  })

  it.each<[string, string[], Input]>([
    ['an empty mask', [], { name: 'Bob' }],
    ['unchanged values', ['name', 'metadata', 'xbox_xuid'], { name: 'Ada', metadata: { b: '2', a: '1' } }],
  ])('changes nothing for %s', async (_what, paths, change) => {
    const options = inStore()
    const before = await createTestCustomer(customers, options, { name: 'Ada', metadata: { a: '1', b: '2' } })
    expect(await update(options, before.id, paths, change)).toEqual(before)
    expect((await eventsOf(customers, before.id)).map(({ type }) => type)).toEqual(['customer.created'])
  })

  it('rejects removing the last identity', async () => {
    const options = inStore()
    const { id } = await createTestCustomer(customers, options, { steamId: newSteamId(), name: 'Ada' })
    expect(await violationsOf(update(options, id, ['steam_id', 'name']))).toEqual([' required'])
    await update(options, id, ['steam_id'])
    expect(await violationsOf(update(options, id, ['name']))).toEqual([' required'])
    expect(await update(options, id, ['name', 'xbox_xuid'], { xboxXuid: '9' })).toMatchObject({ xboxXuid: '9' })
  })

  it('reports every invalid field in the mask and ignores the others', async () => {
    const options = inStore()
    const { id } = await createTestCustomer(customers, options)
    const wrong = { steamId: '1', minecraftUuid: '2', xboxXuid: 'x', name: '', metadata: { k: 'v'.repeat(501) } }
    expect(await violationsOf(update(options, id, ['steam_id', 'name', 'metadata'], wrong))).toEqual([
      'steam_id format',
      'name length',
      'metadata.k length',
    ])
    expect(await faultOf(update(options, id, ['store_id']))).toMatchObject({ code: 'bad-request' })
    expect(await faultOf(update(options, id, ['__proto__']))).toMatchObject({ code: 'bad-request' })
  })

  it.each<[string, Input]>([
    ['steam_id', { steamId: '76561197960265731' }],
    ['minecraft_uuid', { minecraftUuid: uuid }],
    ['xbox_xuid', { xboxXuid: '5' }],
  ])('rejects a %s of another customer', async (path, taken) => {
    const options = inStore()
    await createTestCustomer(customers, options, taken)
    const { id } = await createTestCustomer(customers, options, { name: 'Ada' })
    expect(await faultOf(update(options, id, [path], taken))).toMatchObject({
      code: 'conflict',
      violations: [{ path, validation: 'unique' }],
    })
  })

  it('keeps both of two concurrent changes in 20 rounds', async () => {
    const options = inStore()
    const { id } = await createTestCustomer(customers, options, { name: 'Ada' })
    for (let round = 0; round < 20; round += 1) {
      const [name, xboxXuid] = [`Ada ${round}`, String(round)]
      const [first, second] = [withKey(options), withKey(options)]
      await Promise.all([
        retryUnavailable(() => update(first, id, ['name'], { name })),
        retryUnavailable(() => update(second, id, ['xbox_xuid'], { xboxXuid })),
      ])
      const { customer } = await customers.client.getCustomer({ customerId: id }, options)
      expect(customer).toMatchObject({ name, xboxXuid, version: BigInt(round * 2 + 3) })
    }
  })

  it('gives an id to exactly one of 16 concurrent callers', async () => {
    const options = inStore()
    const created = await Promise.all(Array.from({ length: 16 }, () => createTestCustomer(customers, options)))
    const calls = created.map(({ id }) => {
      const keyed = withKey(options)
      return retryUnavailable(() => update(keyed, id, ['xbox_xuid'], { xboxXuid: '3' }))
    })
    const settled = await Promise.allSettled(calls)
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const one of settled) if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'conflict' })
  })

  it('returns not-found for a customer of another store and for an unknown id', async () => {
    const { id } = await createTestCustomer(customers, inStore())
    expect(await faultOf(update(inStore(), id, ['name'], { name: 'x' }))).toMatchObject({ code: 'not-found' })
    expect(await faultOf(update(inStore(), randomId(), [], {}))).toMatchObject({ code: 'not-found' })
    expect(await violationsOf(update(inStore(), 'x', []))).toEqual(['customer_id format'])
  })

  it('takes effect once per Idempotency-Key and publishes the whole customer', async () => {
    const options = inStore()
    const { id } = await createTestCustomer(customers, options)
    const repeated = withKey(options)
    const first = await update(repeated, id, ['name'], { name: 'Ada' })
    await update(options, id, ['name'], { name: 'Bob' })
    expect(await update(repeated, id, ['name'], { name: 'Ada' })).toEqual(first)
    const events = await eventsOf(customers, id)
    expect(events.map(({ type, version }) => [type, version])).toEqual([
      ['customer.created', '1'],
      ['customer.updated', '2'],
      ['customer.updated', '3'],
    ])
    expect(events[1]?.message).toMatchObject({ customer: first })
  })
})
