import { type BanBody, type BanIdentityBody, expectFault, fresh, useSharedSystem, waitFor } from '@storekeep/test/kit'
import { describe, expect, it } from 'vitest'

const { createStore } = await useSharedSystem()
const store = await createStore()

const email = () => ({ ban_type: 'email', ban_type_value: fresh.email() })
const notBanned = { is_banned: false, ban_id: null }

async function ban(identities: BanIdentityBody[], more: Record<string, unknown> = {}): Promise<string> {
  const { body, status, text } = await store.post<BanBody>('/bans', { identities, ...more })
  expect(status, text).toBe(201)
  return body.id
}

async function check(...identities: BanIdentityBody[]): Promise<unknown> {
  const { body, status, text } = await store.post('/bans/check', { identities })
  expect(status, text).toBe(200)
  return body
}

describe('POST /bans/check', () => {
  const [steamId, uuid, xuid, name, mail, ip] = [
    fresh.steamId(),
    fresh.uuid(),
    fresh.xuid(),
    fresh.name(),
    fresh.email(),
    fresh.ip(),
  ]
  it.each([
    ['steam', steamId, steamId],
    ['ip', '203.0.113.7', '::ffff:203.0.113.7'],
    ['ip', '::ffff:203.0.113.8', '203.0.113.8'],
    ['ip', ip, ip.toUpperCase().replace('::', ':0:0:')],
    ['customer', '411486491630370816', '411486491630370816'],
    ['customer_name', name, name.toUpperCase()],
    ['email', mail, ` ${mail.toUpperCase()} `],
    ['minecraft_uuid', uuid, uuid.replaceAll('-', '').toUpperCase()],
    ['xbox_xuid', xuid, xuid],
  ])('finds the %s %s by %s', async (ban_type, banned, requested) => {
    const ban_id = await ban([email(), { ban_type, ban_type_value: banned }])
    expect(await check(email(), { ban_type, ban_type_value: requested })).toEqual({ is_banned: true, ban_id })
  })

  it('returns false for an empty list, an unknown value, and the same value of another type', async () => {
    const value = fresh.steamId()
    await ban([{ ban_type: 'xbox_xuid', ban_type_value: value }])
    expect(await check()).toEqual(notBanned)
    expect(await check(email(), { ban_type: 'steam', ban_type_value: value })).toEqual(notBanned)
  })

  it('ignores bans of another store', async () => {
    const other = await createStore()
    const one = email()
    await other.post('/bans', { identities: [one] })
    expect(await check(one)).toEqual(notBanned)
  })

  it('returns the oldest of several bans', async () => {
    const [a, b] = [email(), email()]
    const first = await ban([a])
    await ban([b, a])
    expect(await check(b, a)).toEqual({ is_banned: true, ban_id: first })
    await store.delete(`/bans/${first}`)
    expect(await check(a)).toMatchObject({ is_banned: true })
  })

  it('accepts 100 identities', async () => {
    const all = Array.from({ length: 100 }, email)
    const ban_id = await ban(all.slice(-1))
    expect(await check(...all)).toEqual({ is_banned: true, ban_id })
  })

  it('reflects each change of a ban as soon as the change is acknowledged', async () => {
    const [before, after] = [email(), email()]
    const id = await ban([before])
    await store.patch(`/bans/${id}`, { identities: [after] })
    expect([await check(before), await check(after)]).toEqual([notBanned, { is_banned: true, ban_id: id }])
    await store.patch(`/bans/${id}`, { expires_at: '2020-01-01T00:00:00Z' })
    expect(await check(after)).toEqual(notBanned)
    await store.patch(`/bans/${id}`, { expires_at: null })
    expect(await check(after)).toEqual({ is_banned: true, ban_id: id })
    await store.delete(`/bans/${id}`)
    expect(await check(after)).toEqual(notBanned)
  })

  it('ignores an expired ban, which stays listed', async () => {
    const one = email()
    const expires_at = new Date(Date.now() + 2000).toISOString()
    const id = await ban([one], { expires_at })
    expect(await check(one)).toEqual({ is_banned: true, ban_id: id })
    await waitFor('the ban to end', async () => (await store.get<BanBody>(`/bans/${id}`)).body.enabled === false)
    expect(await check(one)).toEqual(notBanned)
    expect((await store.get<BanBody[]>('/bans')).body.map((listed) => listed.id)).toContain(id)
  })

  it('stores its response only for requests with an idempotency key', async () => {
    const headers = { 'idempotency-key': fresh.idempotencyKey() }
    const identities = [email()]
    const keyed = async () => (await store.post('/bans/check', { identities }, { headers })).body
    expect(await keyed()).toEqual(notBanned)
    const ban_id = await ban(identities)
    expect([await keyed(), await check(...identities)]).toEqual([notBanned, { is_banned: true, ban_id }])
    const other = await store.post('/bans/check', { identities: [email()] }, { headers })
    expectFault(other, 'idempotency-mismatch')
  })

  it.each<[string, unknown, string[]]>([
    ['no body', undefined, ['identities required']],
    ['null', { identities: null }, ['identities type']],
    ['101 identities', { identities: Array.from({ length: 101 }, email) }, ['identities']],
    ['an unknown type', { identities: [{ ...email(), ban_type: 'x' }] }, ['identities.0.ban_type enum']],
    ['the type "unknown"', { identities: [{ ...email(), ban_type: 'unknown' }] }, ['identities.0.ban_type enum']],
    [
      'an invalid value',
      { identities: [email(), { ...email(), ban_type: 'ip' }] },
      ['identities.1.ban_type_value format'],
    ],
  ])('rejects %s', async (_, input, items) => {
    expectFault(await store.post('/bans/check', input), 'validation-failed', items)
  })

  it('is not treated as a ban id', async () => {
    const response = await store.get('/bans/check')
    expectFault(response, 'method-not-allowed')
    expect(response.headers.allow).toContain('POST')
  })
})
