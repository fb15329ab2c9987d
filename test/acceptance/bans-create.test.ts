import { type BanBody, expectFault, fresh, useSharedSystem } from '@storekeep/test/kit'
import { describe, expect, it } from 'vitest'

const { createStore } = await useSharedSystem()
const store = await createStore()

const email = () => ({ ban_type: 'email', ban_type_value: fresh.email() })
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()

describe('POST /bans', () => {
  it('creates a ban and returns 201 with every field and a Location header', async () => {
    const input = {
      reason: 'Chargeback of order 1042 🦊',
      identities: [{ ban_type: 'steam', ban_type_value: fresh.steamId() }, email()],
      expires_at: inAnHour(),
    }
    const { status, body, headers } = await store.post<BanBody>('/bans', input)
    expect(status).toBe(201)
    expect(body).toEqual({
      ...input,
      id: expect.stringMatching(/^[1-9]\d{17,18}$/),
      store_id: store.id,
      enabled: true,
      created_by: { type: 'api_key', id: store.apiKeyId },
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_by: null,
      updated_at: null,
    })
    expect(Math.abs(Date.parse(body.created_at) - Date.now())).toBeLessThan(60_000)
    expect(headers.location).toMatch(new RegExp(`/v1/stores/${store.id}/bans/${body.id}$`))
    expect((await store.get(`/bans/${body.id}`)).body).toEqual(body)
  })

  it('accepts a single identity with null for the rest, which is a permanent ban', async () => {
    for (const rest of [{}, { reason: null, expires_at: null }]) {
      const { status, body } = await store.post<BanBody>('/bans', { identities: [email()], ...rest })
      expect(status).toBe(201)
      expect(body).toMatchObject({ reason: '', expires_at: null, enabled: true })
    }
  })

  const uuid = fresh.uuid()
  it.each([
    ['steam', '76561197960265729', '76561197960265729'],
    ['ip', '::FFFF:192.0.2.1', '192.0.2.1'],
    ['ip', '2001:0DB8:0:0::1', '2001:db8::1'],
    ['customer', '411486491630370816', '411486491630370816'],
    ['customer_name', 'Ann  ÉMILIE 🦊', 'Ann  ÉMILIE 🦊'],
    ['email', ' Ann@Example.ORG ', 'ann@example.org'],
    ['minecraft_uuid', uuid.replaceAll('-', '').toUpperCase(), uuid],
    ['xbox_xuid', '2535428504324680', '2535428504324680'],
  ])('accepts the %s %s', async (ban_type, given, kept) => {
    const { body } = await store.post<BanBody>('/bans', { identities: [{ ban_type, ban_type_value: given }] })
    expect(body.identities).toEqual([{ ban_type, ban_type_value: kept }])
  })

  it('removes duplicate identities and keeps the order', async () => {
    const [one, other] = [email(), email()]
    const again = { ...one, ban_type_value: one.ban_type_value.toUpperCase() }
    const { body } = await store.post<BanBody>('/bans', { identities: [other, one, again, other] })
    expect(body.identities).toEqual([other, one])
  })

  it('accepts 100 identities, a reason of 1,000 characters and a time with an offset', async () => {
    const { status, body } = await store.post<BanBody>('/bans', {
      reason: '🦊'.repeat(1000),
      identities: Array.from({ length: 100 }, email),
      expires_at: '2099-12-31T23:59:59.999+14:00',
    })
    expect(status).toBe(201)
    expect(body.identities).toHaveLength(100)
    expect(body.expires_at).toBe('2099-12-31T09:59:59.999Z')
  })

  it('reads a time without an offset as UTC', async () => {
    const { body } = await store.post<BanBody>('/bans', { identities: [email()], expires_at: '2099-12-31T23:59:59.5' })
    expect(body.expires_at).toBe('2099-12-31T23:59:59.500Z')
  })

  it('accepts several bans with the same identity', async () => {
    const same = { identities: [email()] }
    const [first, second] = [await store.post<BanBody>('/bans', same), await store.post<BanBody>('/bans', same)]
    expect([first.status, second.status]).toEqual([201, 201])
    expect(first.body.id).not.toBe(second.body.id)
  })

  it('ignores unknown and read-only fields', async () => {
    const { status, body } = await store.post<BanBody>('/bans', {
      identities: [{ ...email(), note: 'x' }],
      id: '1',
      enabled: false,
      created_by: { type: 'admin', id: '1' },
      severity: 7,
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({ enabled: true, created_by: { type: 'api_key' } })
    expect(body.id).not.toBe('1')
    expect(body).not.toHaveProperty('severity')
  })

  it('is idempotent with a key, which is rejected for another ban', async () => {
    const own = await createStore()
    const headers = { 'idempotency-key': fresh.idempotencyKey() }
    const input = { identities: [email()] }
    const first = await own.post<BanBody>('/bans', input, { headers })
    const again = await own.post<BanBody>('/bans', input, { headers })
    expect([again.status, again.text, again.headers.location]).toEqual([201, first.text, first.headers.location])
    expectFault(await own.post('/bans', { ...input, reason: 'other' }, { headers }), 'idempotency-mismatch')
    expect((await own.get('/bans')).body).toEqual([first.body])
  })
})

describe('POST /bans rejects', () => {
  it.each<[string, unknown, string[]]>([
    ['no body', undefined, ['identities']],
    ['a time in the past', { identities: [email()], expires_at: '2020-01-01T00:00:00Z' }, ['expires_at']],
  ])('%s', async (_, input, items) => {
    expectFault(await store.post('/bans', input), 'validation-failed', items)
  })

  it.each([
    ['steam', '76561197960265728'],
    ['ip', '1.2.3.256'],
    ['ip', '010.0.0.1'],
    ['ip', '2001:db8::/32'],
    ['ip', 'fe80::1%eth0'],
    ['customer', '0'],
    ['email', 'ann'],
    ['email', 'ann@'],
    ['minecraft_uuid', '069a79f4'],
    ['xbox_xuid', '0x7'],
  ])('the %s %j', async (ban_type, ban_type_value) => {
    const response = await store.post('/bans', { identities: [email(), { ban_type, ban_type_value }] })
    expectFault(response, 'validation-failed', ['identities.1.ban_type_value format'])
  })

  it('all violations found by the service, and creates nothing', async () => {
    const own = await createStore()
    const response = await own.post('/bans', {
      identities: [
        { ban_type: 'ip', ban_type_value: 'x' },
        { ban_type: 'unknown', ban_type_value: 'x' },
      ],
      expires_at: '2020-01-01T00:00:00Z',
    })
    expectFault(response, 'validation-failed', ['identities.0.ban_type_value', 'identities.1.ban_type', 'expires_at'])
    expect((await own.get('/bans')).body).toEqual([])
  })
})
