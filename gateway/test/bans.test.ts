import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt'
import { BanType } from '@storekeep/proto/bans/v1/ban'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import { describe, expect, it } from 'vitest'
import { itemsOf, useGateway } from './harness.ts'
import { newId } from './ids.ts'

const gateway = useGateway()
const identity = { ban_type: 'email', ban_type_value: ' Bob@X.org' }

const invalidFields: [string, object, string[]][] = [
  ['no identity', { identities: [] }, ['identities length']],
  ['101 identities', { identities: Array(101).fill(identity) }, ['identities length']],
  ['identities that are no list', { identities: identity }, ['identities type']],
  ['an identity that is a text', { identities: ['x'] }, ['identities.0 type']],
  ['an identity without a type', { identities: [{ ban_type_value: 'x' }] }, ['identities.0.ban_type required']],
  ['an identity without a value', { identities: [{ ban_type: 'ip' }] }, ['identities.0.ban_type_value required']],
  ['a type that does not exist', { identities: [{ ...identity, ban_type: 'IP' }] }, ['identities.0.ban_type enum']],
  [
    'a value that is a number',
    { identities: [identity, { ...identity, ban_type_value: 5 }] },
    ['identities.1.ban_type_value type'],
  ],
  ['a reason of 1,001 characters', { identities: [identity], reason: 'x'.repeat(1001) }, ['reason length']],
  ['a reason that is no text', { identities: [identity], reason: 5 }, ['reason type']],
  ['a time that is a number', { identities: [identity], expires_at: 5 }, ['expires_at type']],
]

describe('POST /bans', () => {
  it('passes every field to the service and returns 201 with the Location of the ban', async () => {
    const store = gateway.newStore()
    const response = await store.send('POST', '/bans', {
      json: { reason: 'Fraud', identities: [identity], expires_at: '2027-01-01T01:30:00.123456+01:30' },
    })
    expect(response.status).toBe(201)
    const { id } = response.body as { id: string }
    expect(response.headers.location).toBe(`/v1/stores/${store.id}/bans/${id}`)
    expect(gateway.received()).toMatchObject({
      ban: { reason: 'Fraud', identities: [{ banType: BanType.EMAIL, banTypeValue: ' Bob@X.org' }] },
    })
    const { expiresAt } = gateway.received().ban as { expiresAt: Parameters<typeof timestampDate>[0] }
    expect(timestampDate(expiresAt).toISOString()).toBe('2027-01-01T00:00:00.123Z')
  })

  it('accepts null for optional fields', async () => {
    await gateway.newStore().send('POST', '/bans', { json: { reason: null, identities: [identity], expires_at: null } })
    const { ban } = gateway.received() as { ban: object }
    expect(ban).not.toHaveProperty('expiresAt')
    expect(Object.hasOwn(ban, 'reason')).toBe(false)
  })

  it.each<[string, object, string[]]>([
    ['nothing', {}, ['identities required']],
    ['null for the identities', { identities: null }, ['identities required']],
    ...invalidFields,
  ])('rejects %s', async (_, json, items) => {
    expect(itemsOf(await gateway.newStore().send('POST', '/bans', { json }))).toEqual(items)
  })

  it('rejects a malformed time', async () => {
    const json = { identities: [identity], expires_at: '2027-01-01' }
    expect(itemsOf(await gateway.newStore().send('POST', '/bans', { json }))).toEqual(['expires_at format'])
  })
})

describe('PATCH /bans/{banId}', () => {
  it.each<[string, object, string[]]>([
    ['nothing', {}, []],
    [
      'every field',
      { reason: '', identities: [identity], expires_at: '2020-01-01T00:00:00Z' },
      ['reason', 'identities', 'expires_at'],
    ],
    ['null, which only the end can be', { reason: null, identities: null, expires_at: null }, ['expires_at']],
  ])('updates %s', async (_, json, paths) => {
    const store = gateway.newStore()
    const banId = newId()
    expect((await store.send('PATCH', `/bans/${banId}`, { json })).status).toBe(200)
    expect(gateway.received()).toMatchObject({ banId, updateMask: { paths } })
  })

  it.each(invalidFields)('rejects %s', async (_, json, items) => {
    expect(itemsOf(await gateway.newStore().send('PATCH', `/bans/${newId()}`, { json }))).toEqual(items)
  })
})

describe('GET /bans', () => {
  it('passes filters and page to the service and links to the next page', async () => {
    const store = gateway.newStore()
    gateway.services.overrides.listBans = async () => ({
      bans: [{ id: '5', storeId: store.id, createdAt: timestampFromDate(new Date(0)) }],
      page: { hasNext: true, hasPrevious: false },
    })
    const response = await store.send('GET', '/bans?ban_type=ip&ban_type_value=::1&reason=fraud&limit=1')
    expect(gateway.received()).toMatchObject({
      banType: BanType.IP,
      banTypeValue: '::1',
      reason: 'fraud',
      page: { limit: 1, asc: false },
    })
    expect(response.headers.link).toContain(
      'ban_type=ip&ban_type_value=%3A%3A1&reason=fraud&limit=1&after=5>; rel="next"',
    )
  })

  it('passes no filter that is absent or empty', async () => {
    await gateway.newStore().send('GET', '/bans?reason=&ban_type=&ban_type_value=')
    for (const field of ['banType', 'banTypeValue', 'reason'])
      expect(Object.hasOwn(gateway.received(), field)).toBe(false)
  })

  it.each([
    ['ban_type=x', 'ban_type enum'],
    ['ban_type=ip&ban_type=ip', 'ban_type'],
    [`reason=${'x'.repeat(1001)}`, 'reason length'],
    ['reason=a&reason=b', 'reason type'],
    ['bantype=ip', 'bantype enum'],
  ])('rejects %s', async (query, item) => {
    expect(itemsOf(await gateway.newStore().send('GET', `/bans?${query}`)).join()).toMatch(item)
  })
})

describe('a ban', () => {
  it('is returned with every field, and null for absent values', async () => {
    const store = gateway.newStore()
    const { body } = await store.send('GET', '/bans/5')
    expect(body).toEqual({
      id: '5',
      store_id: store.id,
      reason: 'Fraud',
      enabled: true,
      identities: [{ ban_type: 'xbox_xuid', ban_type_value: '7' }],
      created_by: { type: 'api_key', id: store.keyId },
      created_at: '2026-11-20T14:35:17.042Z',
      updated_by: null,
      updated_at: null,
      expires_at: null,
    })
  })

  it('names who changed it', async () => {
    const store = gateway.newStore()
    const time = timestampFromDate(new Date('2026-11-20T15:00:00.000Z'))
    gateway.services.overrides.getBan = async () => ({
      ban: {
        id: '5',
        storeId: store.id,
        createdAt: time,
        createdBy: { type: ActorType.USER, id: '6' },
        updatedBy: { type: ActorType.INTERNAL },
        updatedAt: time,
        expiresAt: time,
      },
    })
    expect((await store.send('GET', '/bans/5')).body).toMatchObject({
      enabled: false,
      created_by: { type: 'user', id: '6' },
      updated_by: { type: 'internal', id: null },
      updated_at: '2026-11-20T15:00:00.000Z',
      expires_at: '2026-11-20T15:00:00.000Z',
    })
  })
})

describe('POST /bans/check', () => {
  it('returns the matching ban, or null', async () => {
    const store = gateway.newStore(['bans:read'])
    const check = () => store.send('POST', '/bans/check', { json: { identities: [identity] } })
    expect((await check()).body).toEqual({ is_banned: false, ban_id: null })
    gateway.services.overrides.checkBan = async () => ({ banId: '5' })
    expect((await check()).body).toEqual({ is_banned: true, ban_id: '5' })
    expect(gateway.received()).toMatchObject({ identities: [{ banType: BanType.EMAIL, banTypeValue: ' Bob@X.org' }] })
  })

  it('accepts 0 to 100 identities and requires the list', async () => {
    const store = gateway.newStore()
    const check = (json: object) => store.send('POST', '/bans/check', { json })
    expect((await check({ identities: [] })).status).toBe(200)
    expect(itemsOf(await check({}))).toEqual(['identities required'])
    expect(itemsOf(await check({ identities: null }))).toEqual(['identities type'])
    expect(itemsOf(await check({ identities: Array(101).fill(identity) }))).toEqual(['identities length'])
  })

  it('is not a ban id: GET returns 405', async () => {
    const response = await gateway.newStore().send('GET', '/bans/check')
    expect(response.status).toBe(405)
    expect(response.headers.allow).toContain('POST')
  })
})
