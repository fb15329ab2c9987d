import { type CustomerBody, expectFault, fresh, useSharedSystem } from '@storekeep/test/kit'
import { describe, expect, it } from 'vitest'

const { createStore } = await useSharedSystem()

describe('POST /customers/bulk', () => {
  it('creates nothing for an empty list', async () => {
    const store = await createStore()
    const { status, body } = await store.post('/customers/bulk', [])
    expect(status).toBe(200)
    expect(body).toEqual([])
  })

  it('creates 200 customers and returns them in request order', async () => {
    const store = await createStore()
    const input = Array.from({ length: 200 }, (_, index) => ({
      steam_id: fresh.steamId(),
      name: `Bulk ${index}`,
      metadata: { index: String(index) },
    }))
    const { status, body } = await store.post<CustomerBody[]>('/customers/bulk', input)
    expect(status).toBe(200)
    expect(body).toHaveLength(200)
    expect(body).toMatchObject(input)
    const { body: newest } = await store.get<CustomerBody[]>('/customers?limit=100')
    expect(newest[0]?.id).toBe(body.at(-1)?.id)
  })

  it('rejects 201 items and creates none', async () => {
    const store = await createStore()
    const input = Array.from({ length: 201 }, (_, index) => ({ name: `Too many ${index}` }))
    expectFault(await store.post('/customers/bulk', input), 'validation-failed')
    expect((await store.get('/customers')).body).toEqual([])
  })

  it('keeps SteamID64s sent as JSON numbers digit for digit', async () => {
    const store = await createStore()
    const ids = [fresh.steamId(), fresh.steamId()]
    const raw = `[${ids.map((id) => `{"steam_id":${id}}`).join(',')}]`
    const { body } = await store.post<CustomerBody[]>('/customers/bulk', undefined, { raw })
    expect(body.map(({ steam_id }) => steam_id)).toEqual(ids)
  })

  it('reports every violation of every item and creates none', async () => {
    const store = await createStore()
    const input = [
      { name: 'Fine' },
      { steam_id: 'x', name: '' },
      { metadata: { a: 'b' } },
      { minecraft_uuid: 'x' },
      {},
      { name: 'Fine too' },
    ]
    const response = await store.post('/customers/bulk', input)
    expectFault(response, 'validation-failed', ['1.steam_id', '1.name', '2 required', '3.minecraft_uuid', '4 required'])
    expect((await store.get('/customers')).body).toEqual([])
  })

  it.each([
    ['an object', {}],
    ['nothing', undefined],
    ['null', null],
    ['a list of strings', ['a']],
    ['a list with null', [null]],
    ['a list of lists', [[]]],
  ])('rejects %s', async (_, input) => {
    const store = await createStore()
    const { status } = await store.post('/customers/bulk', input)
    expect(status).toBe(400)
  })

  it('rejects identities that exist in the store, reports all of them, and creates none', async () => {
    const store = await createStore()
    const steamId = fresh.steamId()
    const xuid = fresh.xuid()
    await store.post('/customers', { steam_id: steamId, xbox_xuid: xuid })
    const response = await store.post('/customers/bulk', [
      { name: 'Fine' },
      { steam_id: steamId },
      { xbox_xuid: xuid, name: 'Taken' },
    ])
    expectFault(response, 'conflict', ['1.steam_id unique', '2.xbox_xuid unique'])
    expect((await store.get<CustomerBody[]>('/customers')).body).toHaveLength(1)
  })

  it('rejects duplicate identities within a list', async () => {
    const store = await createStore()
    const uuid = fresh.uuid()
    const response = await store.post('/customers/bulk', [
      { minecraft_uuid: uuid },
      { name: 'Between' },
      { minecraft_uuid: uuid.replaceAll('-', '').toUpperCase() },
    ])
    const fault = expectFault(response, 'conflict')
    expect(fault.errors?.map(({ path }) => path)).toContain('2.minecraft_uuid')
    expect((await store.get('/customers')).body).toEqual([])
  })

  it('reports invalid items before taken identities', async () => {
    const store = await createStore()
    const steamId = fresh.steamId()
    await store.post('/customers', { steam_id: steamId })
    const response = await store.post('/customers/bulk', [{ steam_id: steamId }, { name: '' }])
    expectFault(response, 'validation-failed', ['1.name'])
  })

  it('creates one of two concurrent overlapping lists as a whole', async () => {
    const store = await createStore()
    const common = fresh.steamId()
    const list = (own: string) => [{ name: own }, { steam_id: common }, { name: `${own} too` }]
    const responses = await Promise.all([
      store.post('/customers/bulk', list('a')),
      store.post('/customers/bulk', list('b')),
    ])
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409])
    expect((await store.get<CustomerBody[]>('/customers')).body).toHaveLength(3)
  })

  it('never deadlocks on concurrent lists of the same identities in opposite order', async () => {
    const store = await createStore()
    const ids = Array.from({ length: 50 }, () => ({ steam_id: fresh.steamId() }))
    const responses = await Promise.all(
      Array.from({ length: 6 }, (_, index) => store.post('/customers/bulk', index % 2 === 0 ? ids : ids.toReversed())),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409])
  })

  it('accepts a body of up to 1 MiB', async () => {
    const store = await createStore()
    const metadata = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`k${index}`, 'v'.repeat(400)]))
    const input = Array.from({ length: 200 }, (_, index) => ({ name: `Big ${index}`, metadata }))
    expect(JSON.stringify(input).length).toBeGreaterThan(600 * 1024)
    expect((await store.post('/customers/bulk', input)).status).toBe(200)
    const tooMuch = Array.from({ length: 200 }, (_, index) => ({ name: `Big ${index}`, unknown: 'v'.repeat(6000) }))
    expectFault(await store.post('/customers/bulk', tooMuch), 'payload-too-large')
  })
})
