import { errors, violation } from '@storekeep/common/errors'
import { MinecraftPlatform } from '@storekeep/proto/customers/v1/customer'
import { describe, expect, it } from 'vitest'
import { itemsOf, useGateway } from './harness.ts'
import { newId } from './ids.ts'

const gateway = useGateway()
const steamId = '76561197960287930'

/** Invalid bodies, with the violations. */
const broken: [input: object, items: string[]][] = [
  [{ steam_id: '7656119796028793' }, ['steam_id format']],
  [{ steam_id: '76561197960265728' }, ['steam_id format']],
  [{ steam_id: '76561202255233024' }, ['steam_id format']],
  [{ steam_id: 'STEAM_0:1:1' }, ['steam_id format']],
  [{ steam_id: '' }, ['steam_id format']],
  [{ steam_id: true }, ['steam_id type']],
  [{ steam_id: 5 }, ['steam_id format']],
  [{ minecraft_uuid: '069a79f4-44e9-4726-a5befca90e38aaf5' }, ['minecraft_uuid format']],
  [{ minecraft_uuid: 'g69a79f444e94726a5befca90e38aaf5' }, ['minecraft_uuid format']],
  [{ minecraft_uuid: '069a79f4-44e9-4726-a5be-fca90e38aaf' }, ['minecraft_uuid format']],
  [{ minecraft_uuid: 7 }, ['minecraft_uuid type']],
  [{ name: 'a', minecraft_platform: 'JAVA' }, ['minecraft_platform enum']],
  [{ name: 'a', minecraft_platform: 1 }, ['minecraft_platform enum']],
  [{ xbox_xuid: '' }, ['xbox_xuid format']],
  [{ xbox_xuid: '2535abc' }, ['xbox_xuid format']],
  [{ xbox_xuid: '123456789012345678901' }, ['xbox_xuid format']],
  [{ xbox_xuid: 12 }, ['xbox_xuid type']],
  [{ name: '' }, ['name length']],
  [{ name: 'x'.repeat(129) }, ['name length']],
  [{ name: {} }, ['name type']],
  [{ name: 'a', metadata: [] }, ['metadata type']],
  [{ name: 'a', metadata: 'x' }, ['metadata type']],
  [{ name: 'a', metadata: { rank: 5 } }, ['metadata.rank type']],
  [{ name: 'a', metadata: { rank: {} } }, ['metadata.rank type']],
  [{ name: 'a', metadata: { rank: null } }, ['metadata.rank type']],
  [{ name: 'a', metadata: { ['k'.repeat(65)]: '' } }, [`metadata.${'k'.repeat(65)} length`]],
  [{ name: 'a', metadata: { k: 'v'.repeat(501) } }, ['metadata.k length']],
  [{ name: 'a', metadata: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [n, ''])) }, ['metadata max']],
  [{ steam_id: 'x', xbox_xuid: 'y', name: '' }, ['name length', 'steam_id format', 'xbox_xuid format']],
]

describe('POST /customers', () => {
  it('passes every field to the service and returns every field of the customer', async () => {
    const store = gateway.newStore()
    const input = {
      steam_id: steamId,
      minecraft_uuid: '069A79F444E94726A5BEFCA90E38AAF5',
      minecraft_platform: 'java',
      xbox_xuid: '2535428504324680',
      name: 'Robin',
      metadata: { rank: 'vip' },
      is_admin: true,
    }
    const { body } = await store.send('POST', '/customers', { json: input })
    expect(gateway.services.calls.at(-1)?.request).toMatchObject({
      customer: {
        steamId,
        minecraftUuid: input.minecraft_uuid,
        minecraftPlatform: MinecraftPlatform.JAVA,
        xboxXuid: input.xbox_xuid,
        name: 'Robin',
        metadata: { rank: 'vip' },
      },
    })
    expect(body).toEqual({
      id: expect.any(String),
      store_id: store.id,
      profile: { id: expect.any(String), platform: 'service', name: 'Robin', avatar_url: null, claimed: false },
      steam_id: null,
      steam: null,
      minecraft_uuid: null,
      minecraft: null,
      xbox_xuid: null,
      minecraft_platform: null,
      name: 'Robin',
      created_at: '2026-11-20T14:35:17.042Z',
      updated_at: null,
      metadata: { rank: 'vip' },
    })
  })

  it.each([
    [`{"steam_id":${steamId}}`, steamId],
    ['{"steam_id":76561202255233023}', '76561202255233023'],
    ['{"steam_id": 76561197960265729 }', '76561197960265729'],
    [`{"steam_id":"${steamId}"}`, steamId],
  ])('keeps every digit of the Steam id in %s', async (raw, expected) => {
    await gateway.newStore().send('POST', '/customers', { raw })
    expect(gateway.services.calls.at(-1)?.request).toMatchObject({ customer: { steamId: expected } })
  })

  it.each(['76561199123400001.0', '76561199012345679E0', '7.6561199e16'])(
    'rejects the Steam id %s, a number that lost digits',
    async (number) => {
      const response = await gateway.newStore().send('POST', '/customers', { raw: `{"steam_id":${number}}` })
      expect(itemsOf(response)).toEqual(['steam_id format'])
    },
  )

  it.each(broken)('rejects %j', async (json, items) => {
    const response = await gateway.newStore().send('POST', '/customers', { json })
    expect(response.status).toBe(400)
    expect(itemsOf(response).sort()).toEqual(items)
  })

  it.each([{}, { metadata: {} }, { steam_id: null, name: null }, { minecraft_platform: 'java' }])(
    'rejects %j, which contains no identity',
    async (json) => {
      expect(itemsOf(await gateway.newStore().send('POST', '/customers', { json }))).toEqual([' required'])
    },
  )

  it('counts code points, not UTF-16 units', async () => {
    const store = gateway.newStore()
    expect((await store.send('POST', '/customers', { json: { name: '🦊'.repeat(128) } })).status).toBe(200)
    expect((await store.send('POST', '/customers', { json: { name: '🦊'.repeat(129) } })).status).toBe(400)
  })

  it.each(['text', '[]', '5', 'null', '"x"'])('rejects a body that is not an object: %s', async (raw) => {
    const { body } = await gateway.newStore().send('POST', '/customers', { raw })
    expect(body).toMatchObject({ status: 400, code: raw === 'text' ? 'bad-request' : 'validation-failed' })
  })

  it('returns a conflict of the service', async () => {
    gateway.services.overrides.createCustomer = () =>
      Promise.reject(errors.conflict('Taken.', [violation('steam_id', 'unique', 'is taken')]))
    const response = await gateway.newStore().send('POST', '/customers', { json: { steam_id: steamId } })
    expect(response.body).toMatchObject({ status: 409, code: 'conflict', message: 'Taken.' })
    expect(itemsOf(response)).toEqual(['steam_id unique'])
  })
})

describe('PATCH /customers/{customerId}', () => {
  it.each([
    [{}, {}, []],
    [{ name: 'After' }, { name: 'After' }, ['name']],
    [{ name: null, steam_id: null }, {}, ['steam_id', 'name']],
    [{ metadata: null }, { metadata: {} }, ['metadata']],
    [{ metadata: { a: 'b' }, xbox_xuid: '1' }, { metadata: { a: 'b' }, xboxXuid: '1' }, ['xbox_xuid', 'metadata']],
    [{ id: '5', store_id: '6', created_at: 'now' }, {}, []],
  ])('updates only the fields in %j', async (json, customer, paths) => {
    const id = newId()
    const { body } = await gateway.newStore().send('PATCH', `/customers/${id}`, { json })
    expect(body).toMatchObject({ id })
    const request = gateway.services.calls.at(-1)?.request
    expect(request).toMatchObject({ customerId: id, customer, updateMask: { paths } })
  })

  it.each(broken)('rejects %j', async (json, items) => {
    const response = await gateway.newStore().send('PATCH', `/customers/${newId()}`, { json })
    expect(itemsOf(response).sort()).toEqual(items)
  })
})

describe('POST /customers/bulk', () => {
  it('names every invalid item, with a bounded number of violations each', async () => {
    const metadata = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`k${n}`, n]))
    const json = Array.from({ length: 200 }, () => ({ steam_id: 'x', xbox_xuid: 'x', name: '', metadata }))
    const items = itemsOf(await gateway.newStore().send('POST', '/customers/bulk', { json }))
    expect(new Set(items.map((item) => item.split('.')[0])).size).toBe(200)
    expect(items).toHaveLength(1000)
    expect(items.slice(0, 3)).toEqual(['0.steam_id format', '0.xbox_xuid format', '0.name length'])
  })

  it('keeps the order of the items in the request and the response', async () => {
    const names = Array.from({ length: 200 }, (_, n) => `Customer ${n}`)
    const { body } = await gateway.newStore().send('POST', '/customers/bulk', { json: names.map((name) => ({ name })) })
    expect(body).toHaveLength(200)
    expect(gateway.services.calls.at(-1)?.request).toMatchObject({ customers: names.map((name) => ({ name })) })
  })

  it('returns an empty list for an empty list', async () => {
    expect((await gateway.newStore().send('POST', '/customers/bulk', { raw: '[]' })).body).toEqual([])
  })

  it('names every invalid item', async () => {
    const json = [{ name: 'a' }, { steam_id: 'x' }, {}, { xbox_xuid: '1', name: 5 }, 'text', null]
    const response = await gateway.newStore().send('POST', '/customers/bulk', { json })
    expect(itemsOf(response)).toEqual(['1.steam_id format', '2 required', '3.name type', '4 type', '5 type'])
  })

  it.each([201, 100_000])('rejects %i items without validating them', async (length) => {
    const response = await gateway
      .newStore()
      .send('POST', '/customers/bulk', { raw: JSON.stringify(Array(length).fill(1)) })
    expect(itemsOf(response)).toEqual([' max'])
  })

  it('rejects an object instead of a list', async () => {
    expect(itemsOf(await gateway.newStore().send('POST', '/customers/bulk', { json: { 0: {} } }))).toEqual([' type'])
  })
})

describe('an Idempotency-Key', () => {
  const id = newId()
  it.each([
    ['POST', '/customers', { name: 'a' }],
    ['POST', '/customers/bulk', []],
    ['PATCH', `/customers/${id}`, {}],
    ['POST', `/customers/${id}/tokens`, undefined],
    ['POST', `/customers/${id}/portal-sessions`, {}],
  ])('of %s %s is passed to the service with its concrete path', async (method, path, json) => {
    const store = gateway.newStore()
    await store.send(method, `${path}?`, { json, headers: { 'idempotency-key': 'order-17' } })
    expect(gateway.services.calls.at(-1)?.call.idempotency).toEqual({
      key: 'order-17',
      scope: `${method} /v1/stores/${store.id}${path}`,
    })
  })

  it.each(['', ' ', 'a b', 'ä', 'x'.repeat(256)])('"%s" is rejected', async (key) => {
    const response = await gateway.newStore().send('POST', '/customers', {
      json: { name: 'a' },
      headers: { 'idempotency-key': Buffer.from(key).toString('latin1') },
    })
    expect(response.body).toMatchObject({ status: 400, code: 'bad-request' })
  })

  it('is ignored for GET and DELETE', async () => {
    const headers = { 'idempotency-key': 'x' }
    await gateway.newStore().send('DELETE', `/customers/${id}/tokens`, { headers })
    expect(gateway.services.calls.at(-1)?.call.idempotency).toBeUndefined()
  })
})
