import { type BanBody, expectFault, fresh, unknownId, useSharedSystem } from '@storekeep/test/kit'
import { describe, expect, it } from 'vitest'

const { createStore } = await useSharedSystem()
const store = await createStore()

const email = () => ({ ban_type: 'email', ban_type_value: fresh.email() })
const past = '2020-01-01T00:00:00.000Z'
const future = '2099-01-01T00:00:00.000Z'

async function newBan(input: Record<string, unknown> = {}): Promise<BanBody> {
  const { body, status, text } = await store.post<BanBody>('/bans', { identities: [email()], ...input })
  expect(status, text).toBe(201)
  return body
}

describe('PATCH /bans/{banId}', () => {
  it('changes only the fields sent and records who changed them', async () => {
    const before = await newBan({ reason: 'Before', expires_at: future })
    const { status, body } = await store.patch<BanBody>(`/bans/${before.id}`, { reason: 'After' })
    expect(status).toBe(200)
    expect(body).toEqual({
      ...before,
      reason: 'After',
      updated_by: { type: 'api_key', id: store.apiKeyId },
      updated_at: expect.any(String),
    })
    expect(Date.parse(body.updated_at ?? '')).toBeGreaterThanOrEqual(Date.parse(before.created_at))
    expect((await store.get(`/bans/${before.id}`)).body).toEqual(body)
  })

  it('replaces the whole list of identities', async () => {
    const { id } = await newBan({ identities: [email(), email()] })
    const identities = [{ ban_type: 'ip', ban_type_value: fresh.ip() }, email()]
    const { body } = await store.patch<BanBody>(`/bans/${id}`, { identities })
    expect(body.identities).toEqual(identities)
  })

  it.each([
    ['a time in the future', future, true],
    ['null', null, true],
    ['a time in the past', past, false],
  ])('sets expires_at to %s', async (_, expires_at, enabled) => {
    const { id } = await newBan({ expires_at: '2098-01-01T00:00:00Z' })
    const { status, body } = await store.patch<BanBody>(`/bans/${id}`, { expires_at })
    expect(status).toBe(200)
    expect(body).toMatchObject({ expires_at, enabled })
  })

  it('clears the reason with an empty string', async () => {
    const { id } = await newBan({ reason: 'Fraud' })
    expect((await store.patch<BanBody>(`/bans/${id}`, { reason: '' })).body.reason).toBe('')
  })

  it.each([
    ['an empty body', {}],
    ['no body', undefined],
    ['null for fields that cannot be null', { reason: null, identities: null }],
    ['only unknown fields', { severity: 3, enabled: false }],
  ])('changes nothing for %s, not even updated_at', async (_, change) => {
    const before = await newBan({ reason: 'Fraud' })
    const { status, body } = await store.patch<BanBody>(`/bans/${before.id}`, change)
    expect(status).toBe(200)
    expect(body).toEqual(before)
  })

  it('keeps updated_at when all values are unchanged', async () => {
    const before = await newBan({ reason: 'Fraud', expires_at: future })
    const { reason, identities, expires_at } = before
    expect((await store.patch(`/bans/${before.id}`, { reason, identities, expires_at })).body).toEqual(before)
  })

  it('is idempotent with a key', async () => {
    const { id } = await newBan()
    const headers = { 'idempotency-key': fresh.idempotencyKey() }
    const first = await store.patch<BanBody>(`/bans/${id}`, { reason: 'First' }, { headers })
    await store.patch(`/bans/${id}`, { reason: 'Second' })
    expect((await store.patch(`/bans/${id}`, { reason: 'First' }, { headers })).text).toBe(first.text)
    expect((await store.get<BanBody>(`/bans/${id}`)).body.reason).toBe('Second')
    expectFault(await store.patch(`/bans/${id}`, { reason: 'Third' }, { headers }), 'idempotency-mismatch')
  })
})

describe('PATCH /bans/{banId} rejects', () => {
  it.each<[string, unknown, string]>([
    ['identities', [{ ban_type: 'ip', ban_type_value: 'x' }], 'identities.0.ban_type_value'],
    ['identities', [{ ban_type: 'unknown', ban_type_value: 'x' }], 'identities.0.ban_type'],
  ])('an invalid %s, and changes nothing', async (field, value, path) => {
    const before = await newBan()
    const other = field === 'reason' ? { expires_at: future } : { reason: 'Changed' }
    expectFault(await store.patch(`/bans/${before.id}`, { ...other, [field]: value }), 'validation-failed', [path])
    expect((await store.get(`/bans/${before.id}`)).body).toEqual(before)
  })

  it('an unknown ban, even when the body changes nothing', async () => {
    expectFault(await store.patch(`/bans/${unknownId}`, { reason: 'x' }), 'not-found')
    expectFault(await store.patch(`/bans/${unknownId}`, {}), 'not-found')
    expect((await store.patch('/bans/abc', {})).status).toBe(400)
  })
})

describe('DELETE /bans/{banId}', () => {
  it('removes the ban and returns 404 the second time', async () => {
    const { id } = await newBan()
    const { status, text } = await store.delete(`/bans/${id}`)
    expect({ status, text }).toEqual({ status: 204, text: '' })
    expectFault(await store.get(`/bans/${id}`), 'not-found')
    expectFault(await store.patch(`/bans/${id}`, { reason: 'x' }), 'not-found')
    expectFault(await store.delete(`/bans/${id}`), 'not-found')
    expect((await store.get<BanBody[]>('/bans')).body.map((ban) => ban.id)).not.toContain(id)
  })
})
