import { expectFault, fresh, unknownId, useSharedSystem } from '@storekeep/test/kit'
import { describe, expect, it } from 'vitest'

const { createStore } = await useSharedSystem()
const store = await createStore()
const path = '/webhook-endpoints'

interface EndpointBody {
  id: string
  url: string
  event_types: string[]
  enabled: boolean
  headers: Record<string, string>
  updated_at: string | null
  secret?: string
}

function requiredFields(change: object = {}) {
  return { url: `https://hooks.example.com/${fresh.name()}`, event_types: ['ban.created'], ...change }
}

async function newEndpoint(change: object = {}, own = store): Promise<EndpointBody> {
  const { body, status, text } = await own.post<EndpointBody>(path, requiredFields(change))
  expect(status, text).toBe(200)
  return body
}

function invalidItems(response: { body: unknown }): string[] {
  const { errors } = response.body as { errors: { path: string; validation: string }[] | null }
  return (errors ?? []).map((item) => `${item.path} ${item.validation}`)
}

/** Invalid changes, both to a new endpoint and to an existing one, with the expected violation. */
const invalidChanges: [string, Record<string, unknown>, string][] = [
  ['a URL without a scheme', { url: 'hooks.example.com' }, 'url format'],
  ['a URL with credentials', { url: 'https://user:password@example.com' }, 'url format'],
  ['a URL of a private address', { url: 'https://10.0.0.1/hook' }, 'url format'],
  ['a URL of the metadata service', { url: 'http://169.254.169.254/latest/meta-data' }, 'url format'],
  ['a URL of 2,049 characters', { url: `https://example.com/${'x'.repeat(2029)}` }, 'url length'],
  ['no event type', { event_types: [] }, 'event_types length'],
  ['an unknown event type', { event_types: ['ban.created', 'ban.lifted'] }, 'event_types.1 enum'],
  ['an event type twice', { event_types: ['ban.created', 'ban.created'] }, 'event_types.1 unique'],
  ['every type beside another', { event_types: ['*', 'ban.created'] }, 'event_types.0 exclusive'],
  ['an unknown format', { format: 'slack' }, 'format enum'],
  ['a description of 1,001 characters', { description: 'x'.repeat(1001) }, 'description length'],
  ['a header of the connection', { headers: { 'Content-Length': '1' } }, 'headers.Content-Length enum'],
  ['a header of Storekeep', { headers: { 'Webhook-Signature': 'v1,x' } }, 'headers.Webhook-Signature enum'],
  ['a header name with a space', { headers: { 'X Token': 'x' } }, 'headers.X Token pattern'],
  ['a header value with a line end', { headers: { 'X-Token': 'a\r\nHost: b' } }, 'headers.X-Token pattern'],
  ['a header value that is a number', { headers: { 'X-Token': 5 } }, 'headers.X-Token type'],
  ['a masked value of a header that is not stored', { headers: { 'X-New': '********' } }, 'headers.X-New reference'],
]

describe('POST /webhook-endpoints', () => {
  it('creates an endpoint and returns every field, and the signing secret once', async () => {
    const input = requiredFields({
      event_types: ['*'],
      enabled: false,
      description: 'Ränge 🦊',
      format: 'discord',
      headers: { Authorization: 'Bearer abc', 'X-Empty': '' },
    })
    const { status, body } = await store.post<EndpointBody>(path, input)
    expect(status).toBe(200)
    const { secret, ...record } = body
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(record).toEqual({
      ...input,
      headers: { Authorization: '********', 'X-Empty': '********' },
      id: expect.stringMatching(/^[1-9]\d{17,18}$/),
      store_id: store.id,
      disabled_reason: null,
      failing_since: null,
      created_by: { type: 'api_key', id: store.apiKeyId },
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_by: null,
      updated_at: null,
    })
    expect((await store.get(`${path}/${body.id}`)).body).toEqual(record)
  })

  it('fills in the defaults', async () => {
    expect(await newEndpoint()).toMatchObject({ enabled: true, description: '', format: 'standard', headers: {} })
  })

  it.each(invalidChanges)('rejects %s', async (_what, change, violation) => {
    const response = await store.post(path, requiredFields(change))
    expect(response.status).toBe(400)
    expect(invalidItems(response)).toEqual([violation])
  })

  it.each(['post', 'patch'] as const)('names all violations in one response to %s', async (method) => {
    const target = method === 'post' ? path : `${path}/${(await newEndpoint()).id}`
    const response = await store[method](target, {
      url: 'https://10.0.0.1/hook',
      event_types: ['*', 'bans.created'],
      description: 'x'.repeat(1001),
      format: 'slack',
      headers: { Host: 'x', 'X Token': 'x' },
    })
    expect(invalidItems(response)).toEqual([
      'url format',
      'event_types.0 exclusive',
      'event_types.1 enum',
      'description length',
      'headers.Host enum',
      'headers.X Token pattern',
      'format enum',
    ])
  })

  it('suggests the event type that was meant', async () => {
    const response = await store.post<{ message: string }>(path, requiredFields({ event_types: ['bans.created'] }))
    expect(response.body.message).toContain('did you mean "ban.created"?')
  })

  it('requires a URL and event types', async () => {
    expect(invalidItems(await store.post(path, {}))).toEqual(['url required', 'event_types required'])
  })

  it('returns the same secret to a retry with the same Idempotency-Key', async () => {
    const headers = { 'idempotency-key': fresh.idempotencyKey() }
    const input = requiredFields()
    const first = await store.post<EndpointBody>(path, input, { headers })
    const again = await store.post<EndpointBody>(path, input, { headers })
    expect([again.status, again.text]).toEqual([200, first.text])
    expectFault(await store.post(path, requiredFields(), { headers }), 'idempotency-mismatch')
  })

  it('creates at most 50 endpoints', async () => {
    const own = await createStore()
    const responses = await Promise.all(Array.from({ length: 51 }, () => own.post(path, requiredFields())))
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(50)
    for (const response of responses) if (response.status !== 200) expectFault(response, 'conflict')
  })
})

describe('GET /webhook-endpoints', () => {
  it('returns pages, newest first', async () => {
    const own = await createStore()
    const ids: string[] = []
    for (let n = 0; n < 3; n++) ids.unshift((await newEndpoint({}, own)).id)
    const list = async (query: string) => await own.get<EndpointBody[]>(`${path}?${query}`)
    const first = await list('limit=2')
    expect(first.body.map(({ id }) => id)).toEqual(ids.slice(0, 2))
    expect(first.headers.link).toContain(`after=${ids[1]}`)
    expect((await list(`limit=2&after=${ids[1]}`)).body.map(({ id }) => id)).toEqual(ids.slice(2))
    expect((await list('asc=true')).body.map(({ id }) => id)).toEqual(ids.toReversed())
    expect(first.text).not.toContain('secret')
  })
})

describe('PATCH /webhook-endpoints/{webhookEndpointId}', () => {
  it('changes only the given fields, and returns who changed them', async () => {
    const { secret: _secret, ...endpoint } = await newEndpoint({ description: 'one', headers: { 'X-A': '1' } })
    const { body } = await store.patch<EndpointBody>(`${path}/${endpoint.id}`, { enabled: false })
    expect(body).toEqual({
      ...endpoint,
      enabled: false,
      updated_by: { type: 'api_key', id: store.apiKeyId },
      updated_at: expect.stringMatching(/Z$/),
    })
  })

  it('accepts an endpoint as it was read, and changes nothing', async () => {
    const { secret: _secret, ...endpoint } = await newEndpoint({ headers: { Authorization: 'Bearer abc' } })
    const again = await store.patch<EndpointBody>(`${path}/${endpoint.id}`, endpoint)
    expect([again.status, again.body]).toEqual([200, endpoint])
  })

  it.each(invalidChanges)('rejects %s', async (_what, change, violation) => {
    const { id } = await newEndpoint()
    const response = await store.patch(`${path}/${id}`, change)
    expect(response.status).toBe(400)
    expect(invalidItems(response)).toEqual([violation])
    await store.delete(`${path}/${id}`)
  })

  it('rejects null for every field', async () => {
    const { id } = await newEndpoint()
    for (const field of ['url', 'event_types', 'enabled', 'description', 'format', 'headers']) {
      const response = await store.patch(`${path}/${id}`, { [field]: null })
      expect(invalidItems(response)).toEqual([`${field} type`])
    }
  })

  it('returns 404 for an unknown endpoint', async () => {
    expectFault(await store.patch(`${path}/${unknownId}`, { enabled: false }), 'not-found')
  })
})

describe('POST /webhook-endpoints/{webhookEndpointId}/rotate-secret', () => {
  it('returns a new secret, and the same one to a retry with the same Idempotency-Key', async () => {
    const { id, secret } = await newEndpoint()
    const headers = { 'idempotency-key': fresh.idempotencyKey() }
    const first = await store.post<EndpointBody>(`${path}/${id}/rotate-secret`, { overlap_seconds: 60 }, { headers })
    expect(first.body.secret).toMatch(/^whsec_/)
    expect(first.body.secret).not.toBe(secret)
    const again = await store.post<EndpointBody>(`${path}/${id}/rotate-secret`, { overlap_seconds: 60 }, { headers })
    expect(again.text).toBe(first.text)
  })

  it('accepts no body, and rejects an overlap of more than a week', async () => {
    const { id } = await newEndpoint()
    expect((await store.post(`${path}/${id}/rotate-secret`)).status).toBe(200)
    const rejected = await store.post(`${path}/${id}/rotate-secret`, { overlap_seconds: 604_801 })
    expect(invalidItems(rejected)).toEqual(['overlap_seconds max'])
  })
})

describe('DELETE /webhook-endpoints/{webhookEndpointId}', () => {
  it('deletes the endpoint', async () => {
    const { id } = await newEndpoint()
    expect((await store.delete(`${path}/${id}`)).status).toBe(204)
    expectFault(await store.get(`${path}/${id}`), 'not-found')
    expectFault(await store.delete(`${path}/${id}`), 'not-found')
  })
})
