import { timestampDate } from '@bufbuild/protobuf/wkt'
import { isFlakeId } from '@storekeep/common/flake'
import {
  countEvents,
  eventsOf,
  faultOf,
  isPublished,
  retryUnavailable,
  violationsOf,
  withKey,
} from '@storekeep/common/testing'
import { MinecraftPlatform } from '@storekeep/proto/customers/v1/customer'
import { describe, expect, it } from 'vitest'
import { createTestCustomer, type Input, inStore, newSteamId, useCustomers } from './harness.ts'

const customers = useCustomers()

describe('CreateCustomer', () => {
  it('creates a customer with all fields', async () => {
    const options = inStore()
    const steamId = newSteamId()
    const customer = await createTestCustomer(customers, options, {
      steamId,
      minecraftUuid: '069A79F444E94726A5BEFCA90E38AAF5',
      minecraftPlatform: MinecraftPlatform.JAVA,
      xboxXuid: '2535428504476914',
      name: 'Ada',
      metadata: { vip: 'yes', '': 'no key' },
    })
    expect(customer).toMatchObject({
      storeId: options.storeId,
      steamId,
      minecraftUuid: '069a79f4-44e9-4726-a5be-fca90e38aaf5',
      minecraftPlatform: MinecraftPlatform.JAVA,
      xboxXuid: '2535428504476914',
      name: 'Ada',
      metadata: { vip: 'yes', '': 'no key' },
      profile: { id: steamId, platform: 'steam', name: 'Ada' },
      version: 1n,
    })
    expect(isFlakeId(customer.id)).toBe(true)
    expect(customer.steam ?? customer.minecraft ?? customer.updatedAt).toBeUndefined()
    const age = Date.now() - (customer.createdAt ? timestampDate(customer.createdAt).getTime() : 0)
    expect(Math.abs(age)).toBeLessThan(60_000)
  })

  it.each<[string, Input, object]>([
    [
      'a SteamID64',
      { steamId: '76561197960265729' },
      { id: '76561197960265729', platform: 'steam', name: '76561197960265729' },
    ],
    [
      'a dashed UUID',
      { minecraftUuid: '069A79F4-44E9-4726-A5BE-FCA90E38AAF5' },
      { id: '069a79f4-44e9-4726-a5be-fca90e38aaf5', platform: 'minecraft' },
    ],
    ['an XUID', { xboxXuid: '0' }, { platform: 'service' }],
    ['a name', { name: 'x'.repeat(128) }, { platform: 'service', name: 'x'.repeat(128) }],
  ])('accepts %s as the only identity', async (_what, input, profile) => {
    const customer = await createTestCustomer(customers, inStore(), input)
    expect(customer.profile).toMatchObject(profile)
    expect(customer.metadata).toEqual({})
  })

  it('displays a customer without a name by its id', async () => {
    const customer = await createTestCustomer(customers, inStore(), { xboxXuid: '12345678901234567890' })
    expect(customer.profile).toMatchObject({ id: customer.id, name: customer.id, platform: 'service' })
  })

  it.each<[string, Input]>([
    ['steam_id format', { steamId: '76561197960265728' }],
    ['steam_id format', { steamId: '76561202255233024' }],
    ['steam_id format', { steamId: 'abc' }],
    ['steam_id format', { steamId: '' }],
    ['minecraft_uuid format', { minecraftUuid: '069a79f4-44e9-4726-a5befca90e38aaf5' }],
    ['minecraft_platform enum', { steamId: '76561197960265729', minecraftPlatform: MinecraftPlatform.UNSPECIFIED }],
    ['xbox_xuid format', { xboxXuid: '123456789012345678901' }],
    ['xbox_xuid format', { xboxXuid: '-1' }],
    ['name length', { name: '' }],
    ['name length', { name: 'x'.repeat(129) }],
    ['name pattern', { name: 'a\0b' }],
    ['metadata max', { name: 'a', metadata: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`k${n}`, ''])) }],
    [`metadata.${'k'.repeat(65)} length`, { name: 'a', metadata: { ['k'.repeat(65)]: '' } }],
    ['metadata.k length', { name: 'a', metadata: { k: 'v'.repeat(501) } }],
    ['metadata.k pattern', { name: 'a', metadata: { k: 'a\0' } }],
    [' required', { metadata: { k: 'v' } }],
    [' required', {}],
  ])('rejects an invalid customer: %s', async (expected, customer) => {
    const options = inStore()
    expect(await violationsOf(customers.client.createCustomer({ customer }, options))).toEqual([expected])
    expect(await countEvents(customers, options.storeId)).toBe(0)
  })

  it('reports every invalid field and accepts metadata at its limits', async () => {
    const wrong = { steamId: '1', minecraftUuid: '2', xboxXuid: 'x', name: '' }
    expect(await violationsOf(customers.client.createCustomer({ customer: wrong }, inStore()))).toEqual([
      'steam_id format',
      'minecraft_uuid format',
      'xbox_xuid format',
      'name length',
    ])
    const metadata = Object.fromEntries(
      Array.from({ length: 50 }, (_, n) => [`${'é'.repeat(62)}${n + 10}`, '€'.repeat(500)]),
    )
    expect((await createTestCustomer(customers, inStore(), { name: 'a', metadata })).metadata).toEqual(metadata)
  })

  it.each<[string, Input]>([
    ['steam_id', { steamId: '76561197960265730' }],
    ['minecraft_uuid', { minecraftUuid: '069a79f444e94726a5befca90e38aaf6' }],
    ['xbox_xuid', { xboxXuid: '17' }],
  ])('gives a %s to exactly one of 32 concurrent callers, and again in another store', async (path, customer) => {
    const options = inStore()
    const calls = Array.from({ length: 32 }, () => {
      const keyed = withKey(options)
      return retryUnavailable(() => customers.client.createCustomer({ customer }, keyed))
    })
    const settled = await Promise.allSettled(calls)
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const one of settled) {
      if (one.status === 'rejected') {
        expect(one.reason).toMatchObject({ code: 'conflict', violations: [{ path, validation: 'unique' }] })
      }
    }
    expect(await countEvents(customers, options.storeId)).toBe(1)
    await createTestCustomer(customers, inStore(), customer)
  })

  it('treats an XUID with leading zeros as the same, and names the customer that has it', async () => {
    const options = inStore()
    const { id, xboxXuid } = await createTestCustomer(customers, options, { xboxXuid: '0019' })
    expect(xboxXuid).toBe('19')
    const message = `belongs to customer ${id} of this store`
    for (const other of ['19', '00019']) {
      const fault = await faultOf(createTestCustomer(customers, options, { xboxXuid: other }))
      expect(fault).toMatchObject({ code: 'conflict', violations: [{ path: 'xbox_xuid', message }] })
      const bulk = customers.client.bulkCreateCustomers({ customers: [{ xboxXuid: other }] }, options)
      expect(await faultOf(bulk)).toMatchObject({ code: 'conflict', violations: [{ path: '0.xbox_xuid', message }] })
    }
    const batch = { customers: [{ xboxXuid: '020' }, { xboxXuid: '20' }] }
    const fault = await faultOf(customers.client.bulkCreateCustomers(batch, options))
    expect(fault).toMatchObject({ violations: [{ path: '1.xbox_xuid', message: 'duplicates item 0' }] })
  })

  it('allows duplicate names', async () => {
    const options = inStore()
    const [a, b] = [
      await createTestCustomer(customers, options, { name: 'Ada' }),
      await createTestCustomer(customers, options, { name: 'Ada' }),
    ]
    expect(a.id).not.toBe(b.id)
  })

  it('returns the same customer for a repeated key and idempotency-mismatch for another body', async () => {
    const options = withKey(inStore())
    const customer = { steamId: newSteamId(), metadata: { a: '1', b: '2' } }
    const first = await customers.client.createCustomer({ customer }, options)
    const metadata = { b: '2', a: '1' }
    expect(await customers.client.createCustomer({ customer: { ...customer, metadata } }, options)).toEqual(first)
    expect(await faultOf(customers.client.createCustomer({ customer: { name: 'other' } }, options))).toMatchObject({
      code: 'idempotency-mismatch',
    })
    expect(await countEvents(customers, options.storeId)).toBe(1)
  })

  it('publishes the whole customer', async () => {
    const options = inStore()
    const customer = await createTestCustomer(customers, options, { name: 'Ada', metadata: { k: 'v' } })
    expect(await eventsOf(customers, customer.id)).toEqual([
      {
        type: 'customer.created',
        version: '1',
        storeId: options.storeId,
        message: expect.objectContaining({ customer }),
      },
    ])
    await expect.poll(() => isPublished(customers, customer.id)).toBe(true)
  })
})
