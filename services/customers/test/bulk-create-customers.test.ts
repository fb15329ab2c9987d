import { randomUUID } from 'node:crypto'
import { countEvents, eventsOf, faultOf, retryUnavailable, violationsOf, withKey } from '@storekeep/common/testing'
import { describe, expect, it } from 'vitest'
import { createTestCustomer, type Input, inStore, newSteamId, useCustomers } from './harness.ts'

const customers = useCustomers()
const create = (list: Input[], options = inStore()) =>
  customers.client.bulkCreateCustomers({ customers: list }, options)

describe('BulkCreateCustomers', () => {
  it('creates 200 customers and returns them in request order', async () => {
    const options = inStore()
    const list = Array.from(
      { length: 200 },
      (_, n): Input => ({ steamId: newSteamId(), name: `n${n}`, metadata: { n: `${n}` } }),
    )
    const response = await create(list, options)
    expect(response.customers.map(({ name, steamId, metadata }) => ({ name, steamId, metadata }))).toEqual(list)
    expect(await countEvents(customers, options.storeId)).toBe(200)
    const [first] = response.customers
    expect(await eventsOf(customers, first?.id)).toMatchObject([
      { type: 'customer.created', message: { customer: first } },
    ])
    const read = await customers.client.getCustomer({ customerId: first?.id ?? '' }, options)
    expect(read.customer).toEqual(first)
    expect(await customers.client.lookupCustomer({ name: 'N7' }, options)).toMatchObject({ customer: { name: 'n7' } })
  })

  it('accepts an empty list', async () => {
    expect((await create([])).customers).toEqual([])
  })

  it('rejects 201', async () => {
    expect(await violationsOf(create(Array.from({ length: 201 }, () => ({ name: 'x' }))))).toEqual([' max'])
  })

  it('reports every invalid field of every item and creates nothing', async () => {
    const options = inStore()
    const list = [{ name: 'ok' }, { steamId: '1', name: '' }, { name: 'ok' }, { xboxXuid: 'x' }, {}, { metadata: {} }]
    expect(await violationsOf(create(list, options))).toEqual([
      '1.steam_id format',
      '1.name length',
      '3.xbox_xuid format',
      '4 required',
      '5 required',
    ])
    expect(await countEvents(customers, options.storeId)).toBe(0)
  })

  it('reports every id that is taken in the store or the batch and creates nothing', async () => {
    const options = inStore()
    const steamId = newSteamId()
    const takenUuid = randomUUID()
    for (const taken of [{ steamId }, { minecraftUuid: takenUuid }, { xboxXuid: '77' }]) {
      await createTestCustomer(customers, options, taken)
    }
    const uuid = '069a79f4-44e9-4726-a5be-fca90e38aaf5'
    const list = [
      { minecraftUuid: uuid, xboxXuid: '1' },
      { steamId, xboxXuid: '1' },
      { minecraftUuid: uuid.replaceAll('-', '').toUpperCase() },
      { name: 'free' },
      { steamId },
      { minecraftUuid: takenUuid },
      { xboxXuid: '77' },
    ]
    const call = create(list, options)
    expect(await faultOf(call)).toMatchObject({ code: 'conflict' })
    expect(await violationsOf(call)).toEqual([
      '1.steam_id unique',
      '1.xbox_xuid unique',
      '2.minecraft_uuid unique',
      '4.steam_id unique',
      '5.minecraft_uuid unique',
      '6.xbox_xuid unique',
    ])
    expect(await countEvents(customers, options.storeId)).toBe(3)
  })

  it('reports invalid items before taken ids', async () => {
    const steamId = newSteamId()
    expect(await violationsOf(create([{ steamId }, { steamId }, {}]))).toEqual(['2 required'])
  })

  it('lets exactly one of 8 concurrent batches with the same ids succeed', async () => {
    const options = inStore()
    const list = Array.from({ length: 10 }, () => ({ steamId: newSteamId() }))
    const calls = Array.from({ length: 8 }, () => {
      const keyed = withKey(options)
      return retryUnavailable(() => create(list, keyed))
    })
    const settled = await Promise.allSettled(calls)
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const one of settled) {
      if (one.status !== 'rejected') continue
      expect(one.reason).toMatchObject({ code: 'conflict' })
      expect(one.reason.violations).toHaveLength(10)
    }
    expect(await countEvents(customers, options.storeId)).toBe(10)
  })

  it('returns the same customers for a repeated key', async () => {
    const options = withKey(inStore())
    const list = [{ steamId: newSteamId() }, { name: 'Ada' }]
    const first = await create(list, options)
    expect(await create(list, options)).toEqual(first)
    expect(await countEvents(customers, options.storeId)).toBe(2)
  })
})
