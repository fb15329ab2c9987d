import { type CustomerBody, expectFault, fresh, unknownId, useSharedSystem } from '@storekeep/test/kit'
import { describe, expect, it } from 'vitest'

const { createStore } = await useSharedSystem()
const store = await createStore()

async function newCustomer(input: Record<string, unknown> = { name: fresh.name() }): Promise<CustomerBody> {
  const { body, status, text } = await store.post<CustomerBody>('/customers', input)
  expect(status, text).toBe(200)
  return body
}

describe('PATCH /customers/{customerId}', () => {
  it('changes only the fields sent', async () => {
    const before = await newCustomer({
      steam_id: fresh.steamId(),
      xbox_xuid: fresh.xuid(),
      name: 'Before',
      metadata: { a: '1', b: '2' },
    })
    const { status, body } = await store.patch<CustomerBody>(`/customers/${before.id}`, { name: 'After' })
    expect(status).toBe(200)
    expect(body).toEqual({ ...before, name: 'After', profile: body.profile, updated_at: body.updated_at })
    expect(Date.parse(body.updated_at ?? '')).toBeGreaterThanOrEqual(Date.parse(before.created_at))
    expect((await store.get(`/customers/${before.id}`)).body).toEqual(body)
  })

  it('sets each field', async () => {
    const { id } = await newCustomer()
    const change = {
      steam_id: fresh.steamId(),
      minecraft_uuid: fresh.uuid(),
      minecraft_platform: 'bedrock',
      xbox_xuid: fresh.xuid(),
      name: fresh.name(),
      metadata: { color: 'green' },
    }
    const { body } = await store.patch<CustomerBody>(`/customers/${id}`, change)
    expect(body).toMatchObject(change)
  })

  it.each(['steam_id', 'minecraft_uuid', 'minecraft_platform', 'xbox_xuid', 'name'] as const)(
    'clears %s with null',
    async (field) => {
      const { id } = await newCustomer({
        steam_id: fresh.steamId(),
        minecraft_uuid: fresh.uuid(),
        minecraft_platform: 'java',
        xbox_xuid: fresh.xuid(),
        name: fresh.name(),
      })
      const { status, body } = await store.patch<CustomerBody>(`/customers/${id}`, { [field]: null })
      expect(status).toBe(200)
      expect(body[field]).toBeNull()
    },
  )

  it('replaces the whole metadata and clears it with null', async () => {
    const { id } = await newCustomer({ name: fresh.name(), metadata: { a: '1', b: '2' } })
    const replaced = await store.patch<CustomerBody>(`/customers/${id}`, { metadata: { b: '3' } })
    expect(replaced.body.metadata).toEqual({ b: '3' })
    const emptied = await store.patch<CustomerBody>(`/customers/${id}`, { metadata: null })
    expect(emptied.body.metadata).toEqual({})
  })

  it.each([
    ['an empty body', {}],
    ['no body', undefined],
    ['only unknown fields', { loyalty_points: 3 }],
  ])('changes nothing for %s, not even updated_at', async (_, change) => {
    const before = await newCustomer()
    const { status, body } = await store.patch<CustomerBody>(`/customers/${before.id}`, change)
    expect(status).toBe(200)
    expect(body).toEqual(before)
  })

  it('keeps updated_at when all values are unchanged', async () => {
    const before = await newCustomer({ name: fresh.name(), metadata: { a: '1' } })
    const { body } = await store.patch<CustomerBody>(`/customers/${before.id}`, {
      name: before.name,
      metadata: before.metadata,
    })
    expect(body).toEqual(before)
  })

  it('keeps a SteamID64 sent as a JSON number digit for digit', async () => {
    const { id } = await newCustomer()
    const steamId = fresh.steamId()
    const { body } = await store.patch<CustomerBody>(`/customers/${id}`, undefined, { raw: `{"steam_id":${steamId}}` })
    expect(body.steam_id).toBe(steamId)
  })

  it('accepts an identity that the customer already has', async () => {
    const steamId = fresh.steamId()
    const { id } = await newCustomer({ steam_id: steamId })
    const { status } = await store.patch(`/customers/${id}`, { steam_id: steamId, name: 'Same' })
    expect(status).toBe(200)
  })
})

describe('PATCH /customers/{customerId} rejects', () => {
  it('an invalid field, and changes nothing', async () => {
    const before = await newCustomer()
    const response = await store.patch(`/customers/${before.id}`, { xbox_xuid: fresh.xuid(), name: '' })
    expectFault(response, 'validation-failed', ['name length'])
    expect((await store.get(`/customers/${before.id}`)).body).toEqual(before)
  })

  it('a change that removes the last identity', async () => {
    const before = await newCustomer({ steam_id: fresh.steamId() })
    expectFault(await store.patch(`/customers/${before.id}`, { steam_id: null }), 'validation-failed')
    const { status } = await store.patch(`/customers/${before.id}`, { steam_id: null, name: 'Instead' })
    expect(status).toBe(200)
  })

  it('either of two concurrent changes that together remove every identity', async () => {
    const { id } = await newCustomer({ steam_id: fresh.steamId(), xbox_xuid: fresh.xuid() })
    const responses = await Promise.all([
      store.patch(`/customers/${id}`, { steam_id: null }),
      store.patch(`/customers/${id}`, { xbox_xuid: null }),
    ])
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400])
  })

  it.each(['steam_id', 'minecraft_uuid', 'xbox_xuid'] as const)('a %s that another customer has', async (field) => {
    const value = { steam_id: fresh.steamId, minecraft_uuid: fresh.uuid, xbox_xuid: fresh.xuid }[field]()
    await newCustomer({ [field]: value })
    const { id } = await newCustomer()
    expectFault(await store.patch(`/customers/${id}`, { [field]: value }), 'conflict', [`${field} unique`])
  })

  it('an unknown customer, even when the body changes nothing', async () => {
    expectFault(await store.patch(`/customers/${unknownId}`, { name: 'x' }), 'not-found')
    expectFault(await store.patch(`/customers/${unknownId}`, {}), 'not-found')
  })
})
