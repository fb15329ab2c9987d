import { type CustomerBody, expectFault, fresh, useSharedSystem } from '@storekeep/test/kit'
import { describe, expect, it } from 'vitest'

const { createStore } = await useSharedSystem()
const store = await createStore()

describe('POST /customers', () => {
  it('creates a customer for each kind of identity and returns every field', async () => {
    const input = {
      steam_id: fresh.steamId(),
      minecraft_uuid: fresh.uuid(),
      minecraft_platform: 'java',
      xbox_xuid: fresh.xuid(),
      name: 'Ann  Émilie 🦊',
      metadata: { discord: '4711', note: '' },
    }
    const { status, body, headers } = await store.post<CustomerBody>('/customers', input)
    expect(status).toBe(200)
    expect(headers['content-type']).toMatch(/^application\/json/)
    expect(body).toMatchObject({ ...input, store_id: store.id, updated_at: null })
    expect(body.id).toMatch(/^[1-9]\d{17,18}$/)
    expect(Math.abs(Date.parse(body.created_at) - Date.now())).toBeLessThan(60_000)
    expect((await store.get(`/customers/${body.id}`)).body).toEqual(body)
  })

  it.each(['steam_id', 'minecraft_uuid', 'xbox_xuid', 'name'] as const)(
    'accepts %s as the only identity',
    async (only) => {
      const value = { steam_id: fresh.steamId, minecraft_uuid: fresh.uuid, xbox_xuid: fresh.xuid, name: fresh.name }[
        only
      ]()
      const { status, body } = await store.post<CustomerBody>('/customers', { [only]: value })
      expect(status).toBe(200)
      expect(body[only]).toBe(value)
      expect(body.metadata).toEqual({})
      expect(body.profile).not.toBeNull()
    },
  )

  it('returns a profile of the service for a customer with only a name', async () => {
    const name = fresh.name()
    const { body } = await store.post<CustomerBody>('/customers', { name })
    expect(body.profile).toEqual({ id: body.id, platform: 'service', name, avatar_url: null, claimed: false })
  })

  it('accepts null for every optional field', async () => {
    const nothing = { steam_id: null, minecraft_uuid: null, minecraft_platform: null, xbox_xuid: null, metadata: null }
    const { status, body } = await store.post<CustomerBody>('/customers', { ...nothing, name: 'Nulls' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ ...nothing, name: 'Nulls', metadata: {} })
  })

  it('keeps a SteamID64 sent as a JSON number digit for digit', async () => {
    const steamId = fresh.steamId()
    expect(Number.isSafeInteger(Number(steamId))).toBe(false)
    const { status, body } = await store.post<CustomerBody>('/customers', undefined, {
      raw: `{"steam_id": ${steamId}}`,
    })
    expect(status).toBe(200)
    expect(body.steam_id).toBe(steamId)
  })

  it.each([
    ['bare', (uuid: string) => uuid.replaceAll('-', '')],
    ['upper-case', (uuid: string) => uuid.toUpperCase()],
    ['bare upper-case', (uuid: string) => uuid.replaceAll('-', '').toUpperCase()],
  ])('accepts a %s Minecraft UUID and returns it dashed and in lower case', async (_, write) => {
    const uuid = fresh.uuid()
    const { body } = await store.post<CustomerBody>('/customers', { minecraft_uuid: write(uuid) })
    expect(body.minecraft_uuid).toBe(uuid)
    expectFault(await store.post('/customers', { minecraft_uuid: uuid }), 'conflict', ['minecraft_uuid unique'])
  })

  it.each(['unknown', 'java', 'bedrock'])('accepts the Minecraft platform %s', async (platform) => {
    const { body } = await store.post<CustomerBody>('/customers', {
      minecraft_uuid: fresh.uuid(),
      minecraft_platform: platform,
    })
    expect(body.minecraft_platform).toBe(platform)
  })

  it('ignores unknown and read-only fields', async () => {
    const { status, body } = await store.post<CustomerBody>('/customers', {
      name: 'Known',
      id: '1',
      store_id: '2',
      created_at: '2020-01-01T00:00:00.000Z',
      profile: { name: 'Mallory' },
      loyalty_points: 7,
    })
    expect(status).toBe(200)
    expect(body.id).not.toBe('1')
    expect(body.store_id).toBe(store.id)
    expect(body.profile?.name).toBe('Known')
    expect(body).not.toHaveProperty('loyalty_points')
  })

  it('allows duplicate names', async () => {
    const name = fresh.name()
    const first = await store.post<CustomerBody>('/customers', { name })
    const second = await store.post<CustomerBody>('/customers', { name })
    expect([first.status, second.status]).toEqual([200, 200])
    expect(first.body.id).not.toBe(second.body.id)
  })
})

describe('POST /customers rejects', () => {
  it.each([
    ['no body', undefined],
    ['an empty body', {}],
    ['only metadata', { metadata: { a: 'b' } }],
    ['only a platform', { minecraft_platform: 'java' }],
    ['identities that are all null', { steam_id: null, name: null }],
  ])('%s, because a customer needs an identity', async (_, input) => {
    const fault = expectFault(await store.post('/customers', input), 'validation-failed')
    expect(fault.errors).toEqual([expect.objectContaining({ validation: 'required' })])
  })

  it('all violations together, with the path of each field', async () => {
    const response = await store.post('/customers', { steam_id: 'x', minecraft_uuid: 'y', xbox_xuid: 'z', name: '' })
    expectFault(response, 'validation-failed', ['steam_id', 'minecraft_uuid', 'xbox_xuid', 'name'])
  })

  it('no metadata within its limits', async () => {
    const metadata = Object.fromEntries(
      Array.from({ length: 50 }, (_, index) => [`${index}`.padEnd(64, 'k'), 'v'.repeat(500)]),
    )
    const { status, body } = await store.post<CustomerBody>('/customers', { name: 'x'.repeat(128), metadata })
    expect(status).toBe(200)
    expect(body.metadata).toEqual(metadata)
  })

  it.each(['steam_id', 'minecraft_uuid', 'xbox_xuid'] as const)('a %s that is taken in the store', async (field) => {
    const value = { steam_id: fresh.steamId, minecraft_uuid: fresh.uuid, xbox_xuid: fresh.xuid }[field]()
    await store.post('/customers', { [field]: value })
    expectFault(await store.post('/customers', { [field]: value, name: 'Second' }), 'conflict', [`${field} unique`])
  })

  it('no identity because another store has it', async () => {
    const other = await createStore()
    const steamId = fresh.steamId()
    const here = await store.post<CustomerBody>('/customers', { steam_id: steamId })
    const there = await other.post<CustomerBody>('/customers', { steam_id: steamId })
    expect([here.status, there.status]).toEqual([200, 200])
    expect(here.body.id).not.toBe(there.body.id)
  })
})

describe('concurrent POST /customers', () => {
  it.each(['steam_id', 'minecraft_uuid', 'xbox_xuid'] as const)(
    'with the same %s create one customer and return 409 for the others',
    async (field) => {
      const value = { steam_id: fresh.steamId, minecraft_uuid: fresh.uuid, xbox_xuid: fresh.xuid }[field]()
      const responses = await Promise.all(
        Array.from({ length: 20 }, () => store.post<CustomerBody>('/customers', { [field]: value })),
      )
      const statuses = responses.map(({ status }) => status)
      expect(statuses.filter((status) => status === 200)).toHaveLength(1)
      expect(statuses.filter((status) => status === 409)).toHaveLength(19)
    },
  )
})
