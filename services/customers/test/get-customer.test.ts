import { faultOf, randomId, violationsOf } from '@storekeep/common/testing'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import { describe, expect, it } from 'vitest'
import { createTestCustomer, inStore, useCustomers } from './harness.ts'

const customers = useCustomers()
const get = (customerId: string, options = inStore()) => customers.client.getCustomer({ customerId }, options)

describe('GetCustomer', () => {
  it('returns the customer as created', async () => {
    const options = inStore()
    const customer = await createTestCustomer(customers, options, { name: 'Ada', metadata: { k: 'v' } })
    expect(await get(customer.id, options)).toMatchObject({ customer })
  })

  it('a canceled read, or a read of an unknown customer, does not affect concurrent reads', async () => {
    const options = inStore()
    const customer = await createTestCustomer(customers, options)
    const controller = new AbortController()
    const outcomes = [
      get(customer.id, { ...options, signal: controller.signal }),
      get(customer.id, options),
      get(customer.id),
      get(randomId(), options),
    ].map((read) => read.then(() => 'found').catch(({ code }) => code))
    controller.abort()
    expect(await Promise.all(outcomes)).toEqual(['service-unavailable', 'found', 'not-found', 'not-found'])
  })

  it('returns not-found for an unknown id', async () => {
    expect(await faultOf(get(randomId()))).toMatchObject({ code: 'not-found' })
  })

  it('returns not-found for a customer of another store', async () => {
    const customer = await createTestCustomer(customers, inStore())
    expect(await faultOf(get(customer.id))).toMatchObject({ code: 'not-found' })
  })

  it('rejects a request without an id', async () => {
    expect(await violationsOf(get(''))).toEqual(['customer_id required'])
  })

  it.each(['x', '0', '01', '-1', '9223372036854775808'])('rejects the malformed id %j', async (id) => {
    expect(await violationsOf(get(id))).toEqual(['customer_id format'])
  })
})

describe('BatchGetProfiles', () => {
  const profilesOf = (customerIds: string[], options = inStore()) =>
    customers.client.batchGetProfiles({ customerIds }, { ...options, actor: { type: ActorType.ANONYMOUS } })

  it('returns display profiles, without customers of another store and unknown ids', async () => {
    const options = inStore()
    const { id } = await createTestCustomer(customers, options, { name: 'Ada', metadata: { k: 'v' } })
    const steam = await createTestCustomer(customers, options, { steamId: '76561198000000009', name: 'Kim' })
    const other = await createTestCustomer(customers, inStore())
    const { profiles } = await profilesOf([id, steam.id, id, other.id, randomId()], options)
    const byId = new Map(profiles.map(({ customerId, profile }) => [customerId, profile]))
    expect(byId).toEqual(
      new Map([
        [id, expect.objectContaining({ id, platform: 'service', name: 'Ada', claimed: false })],
        [steam.id, expect.objectContaining({ id: '76561198000000009', platform: 'steam', name: 'Kim' })],
      ]),
    )
    expect((await profilesOf([], options)).profiles).toEqual([])
  })

  it('rejects malformed and too many ids', async () => {
    expect(await violationsOf(profilesOf([randomId(), 'x']))).toEqual(['customer_ids.1 format'])
    expect(await violationsOf(profilesOf(Array.from({ length: 101 }, () => randomId())))).toEqual([
      'customer_ids length',
    ])
  })
})
