import { type CustomerBody, expectFault, fresh, unknownId, useSharedSystem } from '@storekeep/test/kit'
import { beforeAll, describe, expect, it } from 'vitest'

const { createStore } = await useSharedSystem()

describe('GET /customers/lookup', () => {
  const steamId = fresh.steamId()
  const uuid = fresh.uuid()
  const xuid = fresh.xuid()
  const name = 'Lookup Ämy'
  let store: Awaited<ReturnType<typeof createStore>>
  let customer: CustomerBody
  beforeAll(async () => {
    store = await createStore()
    const created = await store.post<CustomerBody>('/customers', {
      steam_id: steamId,
      minecraft_uuid: uuid,
      xbox_xuid: xuid,
      name,
    })
    customer = created.body
  })

  async function lookup(query: Record<string, string>) {
    return await store.get<CustomerBody>(`/customers/lookup?${new URLSearchParams(query)}`)
  }

  it('finds the customer by each identifier', async () => {
    const queries = [
      { id: customer.id },
      { steam_id: steamId },
      { minecraft_uuid: uuid },
      { minecraft_uuid: uuid.replaceAll('-', '').toUpperCase() },
      { xbox_xuid: xuid },
      { name },
      { name: name.toLowerCase() },
    ]
    for (const query of queries) {
      const { status, body } = await lookup(query as Record<string, string>)
      expect(status, JSON.stringify(query)).toBe(200)
      expect(body).toEqual(customer)
    }
  })

  it('requires all given identifiers to match', async () => {
    expect((await lookup({ id: customer.id, steam_id: steamId, xbox_xuid: xuid, name })).body.id).toBe(customer.id)
    expectFault(await lookup({ steam_id: steamId, xbox_xuid: fresh.xuid() }), 'not-found')
    expectFault(await lookup({ id: customer.id, name: 'Another name' }), 'not-found')
  })

  it('matches only whole names that were explicitly set', async () => {
    expectFault(await lookup({ name: 'Lookup' }), 'not-found')
    expectFault(await lookup({ name: 'Lookup%' }), 'not-found')
  })

  it('returns the oldest of several customers with the same name', async () => {
    const twin = fresh.name()
    const { body: older } = await store.post<CustomerBody>('/customers', { name: twin })
    await store.post('/customers', { name: twin.toUpperCase() })
    expect((await lookup({ name: twin })).body.id).toBe(older.id)
  })

  it('finds a signed-in player by Minecraft name on the right platform only', async () => {
    const minecraft = await createStore({ game: 'minecraft_offline' })
    const typed = fresh.name()
    const signedIn = await minecraft.shop('POST', '/store/customer/auth', {
      json: { platform: 'minecraft_java_name', id: typed },
    })
    expect(signedIn.status, signedIn.text).toBe(200)
    const found = await minecraft.get<CustomerBody>(`/customers/lookup?minecraft_java_name=${typed}`)
    expect(found.status, found.text).toBe(200)
    expect(found.body.profile).toMatchObject({ platform: 'minecraft', name: typed })
    const searched = await minecraft.get<CustomerBody[]>(`/customers?search=${typed.slice(1, -1).toUpperCase()}`)
    expect(searched.body.map(({ id }) => id)).toEqual([found.body.id])
    expectFault(await minecraft.get(`/customers/lookup?minecraft_bedrock_name=${typed}`), 'not-found')
    expectFault(await minecraft.get(`/customers/lookup?name=${typed}`), 'not-found')
  })

  it('does not find customers of another store', async () => {
    const other = await createStore()
    expectFault(await other.get(`/customers/lookup?steam_id=${steamId}`), 'not-found')
    expectFault(await other.get(`/customers/lookup?id=${customer.id}`), 'not-found')
  })

  it('returns 404 for unknown values', async () => {
    const unknown = {
      id: unknownId,
      steam_id: fresh.steamId(),
      minecraft_uuid: fresh.uuid(),
      xbox_xuid: fresh.xuid(),
      minecraft_java_name: 'unused_name',
      minecraft_bedrock_name: 'unused name',
      name: fresh.name(),
    }
    for (const [field, value] of Object.entries(unknown)) expectFault(await lookup({ [field]: value }), 'not-found')
  })

  it('rejects a lookup without identifiers', async () => {
    expectFault(await store.get('/customers/lookup'), 'validation-failed')
    expectFault(await store.get('/customers/lookup?steam_id=&name='), 'validation-failed')
  })

  it.each([
    ['id', 'abc'],
    ['id', '0'],
    ['steam_id', '123'],
    ['minecraft_uuid', 'x'],
    ['xbox_xuid', '-5'],
  ])('rejects a malformed %s: "%s"', async (field, value) => {
    expectFault(await lookup({ [field]: value }), 'validation-failed', [field])
  })

  it('rejects a repeated identifier', async () => {
    const { status } = await store.get(`/customers/lookup?steam_id=${steamId}&steam_id=${steamId}`)
    expect(status).toBe(400)
  })

  it('rejects an unknown identifier and suggests the nearest', async () => {
    const fault = expectFault(await lookup({ steamid: steamId }), 'validation-failed', ['steamid'])
    expect(JSON.stringify(fault)).toContain('steam_id')
  })
})
