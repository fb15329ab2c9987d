import { faultOf, randomId, violationsOf } from '@storekeep/common/testing'
import { MinecraftPlatform } from '@storekeep/proto/customers/v1/customer'
import { describe, expect, it } from 'vitest'
import { createTestCustomer, inStore, newSteamId, useCustomers } from './harness.ts'

const customers = useCustomers()

async function lookup(request: Parameters<typeof customers.client.lookupCustomer>[0], options = inStore()) {
  const { customer } = await customers.client.lookupCustomer(request, options)
  return customer?.id
}

async function aCustomer(name = 'Ada') {
  const options = inStore()
  const steamId = newSteamId()
  const minecraftUuid = '069a79f4-44e9-4726-a5be-fca90e38aaf5'
  const input = { steamId, minecraftUuid, xboxXuid: '12', name, minecraftPlatform: MinecraftPlatform.JAVA }
  return { options, ...(await createTestCustomer(customers, options, input)), steamId, minecraftUuid }
}

describe('LookupCustomer', () => {
  it('finds a customer by each of its identities', async () => {
    const { options, id, steamId, minecraftUuid } = await aCustomer()
    expect(await lookup({ id }, options)).toBe(id)
    expect(await lookup({ steamId }, options)).toBe(id)
    expect(await lookup({ minecraftUuid }, options)).toBe(id)
    expect(await lookup({ minecraftUuid: minecraftUuid.replaceAll('-', '').toUpperCase() }, options)).toBe(id)
    expect(await lookup({ xboxXuid: '12' }, options)).toBe(id)
    expect(await lookup({ name: 'aDA' }, options)).toBe(id)
  })

  it('requires all parameters to match', async () => {
    const { options, id, steamId } = await aCustomer()
    expect(await lookup({ id, steamId, name: 'ada', xboxXuid: '12' }, options)).toBe(id)
    expect(await faultOf(lookup({ id, steamId: newSteamId() }, options))).toMatchObject({ code: 'not-found' })
    expect(await faultOf(lookup({ steamId, name: 'Bob' }, options))).toMatchObject({ code: 'not-found' })
  })

  it('returns the oldest customer with exactly that name', async () => {
    const { options, id } = await aCustomer('Straße')
    await createTestCustomer(customers, options, { name: 'STRAßE' })
    expect(await lookup({ name: 'straßE' }, options)).toBe(id)
    expect(await faultOf(lookup({ name: 'Straß' }, options))).toMatchObject({ code: 'not-found' })
    expect(await faultOf(lookup({ name: 'Stra%' }, options))).toMatchObject({ code: 'not-found' })
  })

  it('finds a player by profile name and edition, not by the name set by the store', async () => {
    const storeId = customers.stores.add()
    const options = inStore(storeId)
    await createTestCustomer(customers, options, { name: 'Notch', minecraftPlatform: MinecraftPlatform.JAVA })
    const fault = await faultOf(lookup({ minecraftJavaName: 'Notch' }, options))
    expect(fault).toMatchObject({ code: 'not-found' })
    await customers.client.signIn({ platform: 'minecraft_java_name', id: 'Notch' }, options)
    await customers.client.signIn({ platform: 'minecraft_bedrock_name', id: 'Notch' }, options)
    const java = await lookup({ minecraftJavaName: 'notch' }, options)
    const bedrock = await lookup({ minecraftBedrockName: 'NOTCH' }, options)
    expect(java).not.toBe(bedrock)
    expect(await lookup({ minecraftBedrockName: 'NOTCH', id: bedrock }, options)).toBe(bedrock)
    const both = { minecraftJavaName: 'Notch', minecraftBedrockName: 'Notch' }
    expect(await faultOf(lookup(both, options))).toMatchObject({ code: 'not-found' })
    // `name` matches only names set by the store, not profile names.
    const { client } = customers
    await client.updateCustomer(
      { customerId: java ?? '', customer: { name: 'x' }, updateMask: { paths: ['name'] } },
      options,
    )
    expect(await faultOf(lookup({ id: java, name: 'Notch' }, options))).toMatchObject({ code: 'not-found' })
  })

  it('returns not-found for a customer of another store', async () => {
    const { steamId } = await aCustomer()
    expect(await faultOf(lookup({ steamId }))).toMatchObject({ code: 'not-found' })
  })

  it('returns not-found when no customer matches', async () => {
    expect(await faultOf(lookup({ id: randomId() }))).toMatchObject({ code: 'not-found' })
    expect(await faultOf(lookup({ name: '' }))).toMatchObject({ code: 'not-found' })
  })

  it('rejects a lookup without parameters and malformed ids', async () => {
    expect(await violationsOf(lookup({}))).toEqual([' required'])
    const wrong = { id: 'x', steamId: '1', minecraftUuid: '2', xboxXuid: 'x', name: '\0' }
    expect(await violationsOf(lookup(wrong))).toEqual([
      'id format',
      'steam_id format',
      'minecraft_uuid format',
      'xbox_xuid format',
      'name pattern',
    ])
  })
})
