import { countEvents, eventsOf, faultOf, violationsOf, withKey } from '@storekeep/common/testing'
import { describe, expect, it } from 'vitest'
import { createTestCustomer, type Input, inStore, newSteamId, useCustomers } from './harness.ts'

const customers = useCustomers()
const create = (list: Input[], options = inStore()) =>
  customers.client.bulkCreateCustomers({ customers: list }, options)

describe('BulkCreateCustomers', () => {
  it('makes 200 customers and answers them in the order of the request', async () => {
    const options = inStore()
    const list = Array.from(
      { length: 200 },
      (_, n): Input => ({ steamId: newSteamId(), name: `n${n}`, metadata: { n: `${n}` } }),
    )
    const answer = await create(list, options)
    expect(answer.customers.map(({ name, steamId, metadata }) => ({ name, steamId, metadata }))).toEqual(list)
    expect(await countEvents(customers, options.storeId)).toBe(200)
    const [first] = answer.customers
    expect(await eventsOf(customers, first?.id)).toMatchObject([
      { type: 'customer.created', message: { customer: first } },
    ])
    const read = await customers.client.getCustomer({ customerId: first?.id ?? '' }, options)
    expect(read.customer).toEqual(first)
    expect(await customers.client.lookupCustomer({ name: 'N7' }, options)).toMatchObject({ customer: { name: 'n7' } })
  })

  it('makes none of none', async () => {
    expect((await create([])).customers).toEqual([])
  })

  it('refuses 201', async () => {
    expect(await violationsOf(create(Array.from({ length: 201 }, () => ({ name: 'x' }))))).toEqual([' max'])
  })

  it('names everything wrong in every item, and makes none', async () => {
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

  it('names every id that is taken, in the store or in the batch, and makes none', async () => {
    const options = inStore()
    const steamId = newSteamId()
    await createTestCustomer(customers, options, { steamId })
    const uuid = '069a79f4-44e9-4726-a5be-fca90e38aaf5'
    const list = [
      { minecraftUuid: uuid, xboxXuid: '1' },
      { steamId, xboxXuid: '1' },
      { minecraftUuid: uuid.replaceAll('-', '').toUpperCase() },
      { name: 'free' },
      { steamId },
    ]
    const call = create(list, options)
    expect(await faultOf(call)).toMatchObject({ code: 'conflict' })
    expect(await violationsOf(call)).toEqual([
      '1.steam_id unique',
      '1.xbox_xuid unique',
      '2.minecraft_uuid unique',
      '4.steam_id unique',
    ])
    expect(await countEvents(customers, options.storeId)).toBe(1)
  })

  it('puts wrong items before taken ids', async () => {
    const steamId = newSteamId()
    expect(await violationsOf(create([{ steamId }, { steamId }, {}]))).toEqual(['2 required'])
  })

  it('lets one of 8 batches with the same ids through', async () => {
    const options = inStore()
    const list = Array.from({ length: 10 }, () => ({ steamId: newSteamId() }))
    const settled = await Promise.allSettled(Array.from({ length: 8 }, () => create(list, options)))
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const one of settled) {
      if (one.status !== 'rejected') continue
      expect(one.reason).toMatchObject({ code: 'conflict' })
      expect(one.reason.violations).toHaveLength(10)
    }
    expect(await countEvents(customers, options.storeId)).toBe(10)
  })

  it('answers a repeated call with the same customers', async () => {
    const options = withKey(inStore())
    const list = [{ steamId: newSteamId() }, { name: 'Ada' }]
    const first = await create(list, options)
    expect(await create(list, options)).toEqual(first)
    expect(await countEvents(customers, options.storeId)).toBe(2)
  })
})
