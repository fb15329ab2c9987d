import { eventsOf, isPublished } from '@storekeep/common/testing'
import { MinecraftPlatform } from '@storekeep/proto/customers/v1/customer'
import { afterAll, describe, expect, it } from 'vitest'
import { type FakeProvider, startFakeProvider } from './fake-provider.ts'
import { createTestCustomer, inStore, newSteamId, useCustomers } from './harness.ts'

let server: FakeProvider
const customers = useCustomers(async (env) => {
  server = await startFakeProvider()
  return {
    ...env,
    PROFILE_PROVIDERS: 'steam,mojang',
    STEAM_BASE_URL: server.url,
    STEAM_API_KEY: 'x',
    MOJANG_BASE_URL: server.url,
  }
})
afterAll(() => server.close())

const uuid = '069a79f4-44e9-4726-a5be-fca90e38aaf5'

async function profileOf(customerId: string, options: ReturnType<typeof inStore>) {
  const { customer } = await customers.client.getCustomer({ customerId }, options)
  return customer?.profile?.name
}

/** Resolves once the consumer has processed every event of the customer. */
async function settled(customerId: string): Promise<string[]> {
  await expect.poll(() => isPublished(customers, customerId)).toBe(true)
  return (await eventsOf(customers, customerId)).map(({ type }) => type)
}

describe('the profile of a customer', () => {
  it('is looked up after the creation and published once', async () => {
    const options = inStore()
    const steamId = newSteamId()
    server.steam(steamId, 'Robin', 'https://cdn.example/robin.jpg')
    const created = await createTestCustomer(customers, options, { steamId, name: 'Shown before' })
    expect(created.profile?.name).toBe('Shown before')
    await expect.poll(() => profileOf(created.id, options)).toBe('Robin')
    const { customer } = await customers.client.getCustomer({ customerId: created.id }, options)
    expect(customer).toMatchObject({
      name: 'Shown before',
      version: 2n,
      updatedAt: expect.anything(),
      steam: { id: steamId, name: 'Robin', avatarUrl: 'https://cdn.example/robin.jpg' },
      profile: { id: steamId, platform: 'steam', name: 'Robin', avatarUrl: 'https://cdn.example/robin.jpg' },
    })
    expect(await settled(created.id)).toEqual(['customer.created', 'customer.updated'])
    const events = await eventsOf(customers, created.id)
    expect(events[1]?.message).toMatchObject({ customer })
    expect(server.requests.filter((path) => path.includes(steamId))).toHaveLength(1)
    const found = await customers.client.listCustomers({ search: 'robi' }, options)
    expect(found.customers).toHaveLength(1)
  })

  it('is looked up at Mojang and then found by its name', async () => {
    const options = inStore()
    server.mojang(uuid, 'Notch')
    const { id } = await createTestCustomer(customers, options, { minecraftUuid: uuid })
    await expect.poll(() => profileOf(id, options)).toBe('Notch')
    const { customer } = await customers.client.lookupCustomer({ minecraftJavaName: 'notch' }, options)
    expect(customer).toMatchObject({
      id,
      minecraft: { id: uuid, name: 'Notch' },
      minecraftPlatform: MinecraftPlatform.JAVA,
    })
  })

  it('is replaced when the account is replaced', async () => {
    const options = inStore()
    const [before, after] = [newSteamId(), newSteamId()]
    server.steam(before, 'Before')
    const { id } = await createTestCustomer(customers, options, { steamId: before })
    await expect.poll(() => profileOf(id, options)).toBe('Before')
    server.steam(after, 'After')
    const change = { customerId: id, customer: { steamId: after }, updateMask: { paths: ['steam_id'] } }
    const { customer } = await customers.client.updateCustomer(change, options)
    expect([customer?.steam, customer?.profile?.name]).toEqual([undefined, after])
    await expect.poll(() => profileOf(id, options)).toBe('After')
  })

  it('is looked up again after the provider failed', async () => {
    const options = inStore()
    const steamId = newSteamId()
    server.respond(steamId, (response) => response.writeHead(500).end())
    const { id } = await createTestCustomer(customers, options, { steamId })
    await expect.poll(() => server.requests.some((path) => path.includes(steamId))).toBe(true)
    server.steam(steamId, 'Late')
    await expect.poll(() => profileOf(id, options)).toBe('Late')
    // Postponing does not count as a failed attempt, which would end in a dead letter.
    const metrics = await (await fetch(`http://127.0.0.1:${customers.running.metricsPort}/metrics`)).text()
    expect(metrics).toMatch(/^events_consumed_total\{.*outcome="postponed".*\} [1-9]/m)
    expect(metrics).not.toMatch(/^events_consumed_total\{.*outcome="retried"/m)
  })

  it('stays empty for unknown accounts and Bedrock UUIDs, without repeated lookups', async () => {
    const options = inStore()
    const [steamId, other] = [newSteamId(), newSteamId()]
    server.respond(steamId, { response: { players: [] } })
    const bedrock = {
      minecraftUuid: '00000000-0000-0000-0009-01f4a3c7d21e',
      minecraftPlatform: MinecraftPlatform.BEDROCK,
    }
    const { id } = await createTestCustomer(customers, options, { steamId, ...bedrock })
    server.steam(other, 'Other')
    const marker = await createTestCustomer(customers, options, { steamId: other })
    await expect.poll(() => server.requests.some((path) => path.includes(steamId))).toBe(true)
    await expect.poll(() => profileOf(marker.id, options)).toBe('Other')
    expect(await settled(id)).toEqual(['customer.created'])
    expect(server.requests.filter((path) => path.includes('01f4a3c7d21e'))).toEqual([])
  })
})
