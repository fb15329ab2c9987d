import { type CustomerBody, expectFault, fresh, useSharedSystem } from '@storekeep/test/kit'
import { describe, expect, it } from 'vitest'

const { createStore } = await useSharedSystem()

describe('POST /customers/bulk', () => {
  it('makes nobody of an empty list', async () => {
    const store = await createStore()
    const { status, body } = await store.post('/customers/bulk', [])
    expect(status).toBe(200)
    expect(body).toEqual([])
  })

  it('makes two hundred customers and answers them in the order asked', async () => {
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

  it('refuses two hundred and one, making nobody', async () => {
    const store = await createStore()
    const input = Array.from({ length: 201 }, (_, index) => ({ name: `Too many ${index}` }))
    expectFault(await store.post('/customers/bulk', input), 'validation-failed')
    expect((await store.get('/customers')).body).toEqual([])
  })

  it('keeps SteamIds sent as JSON numbers digit for digit', async () => {
    const store = await createStore()
    const ids = [fresh.steamId(), fresh.steamId()]
    const raw = `[${ids.map((id) => `{"steam_id":${id}}`).join(',')}]`
    const { body } = await store.post<CustomerBody[]>('/customers/bulk', undefined, { raw })
    expect(body.map(({ steam_id }) => steam_id)).toEqual(ids)
  })

  it('names everything that is wrong in every item, and makes nobody', async () => {
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
    ['a list of texts', ['a']],
    ['a list with null', [null]],
    ['a list of lists', [[]]],
  ])('refuses %s', async (_, input) => {
    const store = await createStore()
    const { status } = await store.post('/customers/bulk', input)
    expect(status).toBe(400)
  })

  it('refuses identities that the store has, naming all of them, and makes nobody', async () => {
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

  it('refuses an identity given twice in one list', async () => {
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

  it('prefers to say that items are invalid over that identities are taken', async () => {
    const store = await createStore()
    const steamId = fresh.steamId()
    await store.post('/customers', { steam_id: steamId })
    const response = await store.post('/customers/bulk', [{ steam_id: steamId }, { name: '' }])
    expectFault(response, 'validation-failed', ['1.name'])
  })

  it('lets one of two overlapping lists at once win as a whole', async () => {
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

  it('lets lists of the same identities in opposite order never lock each other up', async () => {
    const store = await createStore()
    const ids = Array.from({ length: 50 }, () => ({ steam_id: fresh.steamId() }))
    const responses = await Promise.all(
      Array.from({ length: 6 }, (_, index) => store.post('/customers/bulk', index % 2 === 0 ? ids : ids.toReversed())),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409])
  })

  it('takes a body of more than 256 KiB, up to 1 MiB', async () => {
    const store = await createStore()
    const metadata = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`k${index}`, 'v'.repeat(400)]))
    const input = Array.from({ length: 200 }, (_, index) => ({ name: `Big ${index}`, metadata }))
    expect(JSON.stringify(input).length).toBeGreaterThan(600 * 1024)
    expect((await store.post('/customers/bulk', input)).status).toBe(200)
    const tooMuch = Array.from({ length: 200 }, (_, index) => ({ name: `Big ${index}`, unknown: 'v'.repeat(6000) }))
    expectFault(await store.post('/customers/bulk', tooMuch), 'payload-too-large')
  })
})
