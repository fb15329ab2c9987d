import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { version } from '../src/generated/version.ts'
import { NotFoundError, type RequestEvent, type ResponseEvent, Storekeep } from '../src/index.ts'
import { Storefront } from '../src/storefront.ts'
import { apiKey, fault, json, reset, soon, startServer, storeId } from './scripted-server.ts'

const found = json(200, { id: '1' })
const token = 'skcus_02TestTokenThatMustNotLeak'

describe('a request without a method', () => {
  it('has the path of the store, the credential, a key for writes, and the typed errors', async () => {
    const server = await startServer(json(200, { id: '7' }), found, fault(404, 'not-found'))
    const storekeep = server.storekeep()
    const created = await storekeep.request<{ id: string }>(
      { method: 'POST', path: '/future-things', body: { name: 'a' }, query: { dry_run: true } },
      { requestId: 'mine' },
    )
    expect(created.id).toBe('7')
    await storekeep.request({ method: 'GET', path: '/future-things/7' })
    expect(server.requests[0]).toMatchObject({
      method: 'POST',
      url: `/v1/stores/${storeId}/future-things?dry_run=true`,
      body: '{"name":"a"}',
      headers: {
        authorization: `APIKey ${apiKey}`,
        'idempotency-key': expect.any(String),
        'x-request-id': 'mine',
      },
    })
    expect(server.requests[1]?.headers).not.toHaveProperty('idempotency-key')
    await expect(storekeep.request({ method: 'GET', path: '/none' })).rejects.toThrow(NotFoundError)
  })

  it.each(['things', '//evil.example', '/a/../../stores/2/bans', '/a/%2e%2e/b', '/a?b=c', '/a#b', '/a\\b', ''])(
    'never leaves the store: the path "%s" is a mistake of the caller',
    async (path) => {
      const server = await startServer(found)
      expect(() => server.storekeep().request({ method: 'GET', path })).toThrow('path must start with one slash')
      expect(server.requests).toEqual([])
    },
  )
})

describe('a management request', () => {
  it('has the path of the store, the API key and the body', async () => {
    const server = await startServer(found)
    await server.storekeep().customers.update('411486491630370817', { name: 'Røbin' }, { requestId: 'mine' })
    const [request] = server.requests
    expect(request).toMatchObject({
      method: 'PATCH',
      url: `/v1/stores/${storeId}/customers/411486491630370817`,
      body: '{"name":"Røbin"}',
      headers: {
        authorization: `APIKey ${apiKey}`,
        'content-type': 'application/json',
        'user-agent': `storekeep-sdk/${version}`,
        'x-request-id': 'mine',
      },
    })
  })

  it('without a body has no content type', async () => {
    const server = await startServer(found)
    await server.storekeep().customers.mintToken('1')
    expect(server.requests[0]?.headers).not.toHaveProperty('content-type')
    expect(server.requests[0]?.body).toBe('')
  })

  it('repeats the name of a list parameter and writes maps as name[key]', async () => {
    const server = await startServer(json(200, []), json(200, { results: [] }))
    const { customers, dashboard } = server.storekeep()
    await customers.list({ customer_id: ['1', '2'], search: 'a&b', asc: true, limit: 2 })
    await dashboard.search({ search_hints: { name: 'Mara O' } })
    expect(server.requests.map(({ url }) => url.split('?')[1])).toEqual([
      'customer_id=1&customer_id=2&search=a%26b&asc=true&limit=2',
      'search_hints%5Bname%5D=Mara+O',
    ])
  })

  it('sends the given idempotency key, and a new one for each call without', async () => {
    const server = await startServer(found)
    const { customers } = server.storekeep()
    const headers = { 'Idempotency-Key': 'order-2' }
    await customers.create({ name: 'Robin' }, { idempotencyKey: 'order-1', headers })
    await customers.create({ name: 'Robin' })
    await customers.create({ name: 'Robin' })
    await customers.get('1')
    await customers.create({ name: 'Robin' }, { headers })
    const keys = server.requests.map(({ headers }) => headers['idempotency-key'])
    expect(keys[0]).toBe('order-1')
    expect(new Set(keys).size).toBe(5)
    expect(keys[3]).toBeUndefined()
    expect(keys[4]).toBe('order-2')
  })

  it('keeps its API key when the caller gives such a header', async () => {
    const server = await startServer(found)
    await server.storekeep().customers.get('1', { headers: { Authorization: 'none', traceparent: '00-1-1-01' } })
    expect(server.requests[0]?.headers).toMatchObject({ authorization: `APIKey ${apiKey}`, traceparent: '00-1-1-01' })
  })

  it.each(['', '.', '..', 42, undefined])(
    'is not sent with the id %j, which would address another path',
    async (id) => {
      const server = await startServer(found)
      expect(() => server.storekeep().customers.get(id as string)).toThrow(TypeError)
      expect(server.requests).toHaveLength(0)
    },
  )

  it('encodes what is not an id, so that it stays one segment', async () => {
    const server = await startServer(found)
    await server.storekeep().customers.get('1/../../2?a#b')
    expect(server.requests[0]?.url).toBe(`/v1/stores/${storeId}/customers/1%2F..%2F..%2F2%3Fa%23b`)
  })

  it('goes through a custom fetch', async () => {
    const seen: string[] = []
    const server = await startServer(found)
    const counted: typeof fetch = (url, init) => {
      seen.push(`${init?.method} ${url}`)
      return fetch(url, init)
    }
    await server.storekeep({ fetch: counted }).customers.get('1')
    expect(seen).toEqual([`GET ${server.baseUrl}/v1/stores/${storeId}/customers/1`])
  })
})

describe('a response', () => {
  it('comes with its status, request id and headers on request', async () => {
    const server = await startServer(json(201, { id: '7' }, { location: '/v1/7' }))
    const { data, status, requestId, headers } = await server.storekeep().bans.create({}).withResponse()
    expect({ data, status, requestId }).toEqual({ data: { id: '7' }, status: 201, requestId: 'req-1' })
    expect(headers.get('location')).toBe('/v1/7')
  })

  it('without content is undefined', async () => {
    const server = await startServer((res) => void res.writeHead(204).end())
    expect(await server.storekeep().customers.revokeTokens('1')).toBeUndefined()
  })
})

describe('hooks', () => {
  it('see each attempt, its outcome and the wait, but no credential and no body', async () => {
    const server = await startServer(fault(503, 'service-unavailable', soon), reset, found)
    const events: (RequestEvent | ResponseEvent)[] = []
    const hook = (event: RequestEvent | ResponseEvent) => void events.push(event)
    const options = { onRequest: hook, onResponse: hook, maxRetryDelayMs: 1 }
    await server.storekeep(options).customers.create({ name: 'PrivateName' }, { idempotencyKey: 'k1' })
    expect(events).toMatchObject([
      { method: 'POST', attempt: 1 },
      {
        attempt: 1,
        status: 503,
        requestId: 'req-1',
        error: { code: 'service-unavailable' },
        retryInMs: expect.any(Number),
      },
      { attempt: 2 },
      { attempt: 2, status: undefined, error: { name: 'ConnectionError' }, retryInMs: expect.any(Number) },
      { attempt: 3 },
      { attempt: 3, status: 200, error: undefined, retryInMs: undefined },
    ])
    const printed = inspect(events, { depth: 20, showHidden: true })
    expect(printed).not.toContain(apiKey)
    expect(printed).not.toContain('PrivateName')
  })

  it('cannot turn a successful write into a failure, or stop its retries', async () => {
    const server = await startServer(fault(503, 'service-unavailable', soon), found)
    const onResponse = () => {
      throw new Error('The logger failed')
    }
    await server.storekeep({ onResponse, maxRetryDelayMs: 1 }).customers.create({ name: 'Robin' })
    expect(server.requests).toHaveLength(2)
  })
})

describe('secrets', () => {
  it.each([
    ['the API key', () => new Storekeep({ apiKey, storeId, baseUrl: 'http://127.0.0.1:9' }), apiKey],
    ['the token', () => new Storefront({ customerToken: token, storeId, baseUrl: 'http://127.0.0.1:9' }), token],
  ])('%s is in no inspected or serialized client', (_name, create, secret) => {
    const client = create()
    for (const text of [inspect(client, { depth: 20, showHidden: true }), JSON.stringify(client), String(client)]) {
      expect(text).not.toContain(secret)
    }
  })

  it('the API key is in no error', async () => {
    const server = await startServer(reset, fault(401, 'unauthorized'))
    const { customers } = server.storekeep({ maxRetries: 0 })
    for (const call of [customers.get('1'), customers.get('1')]) {
      const error = await call.catch((one: unknown) => one)
      expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(apiKey)
      expect(JSON.stringify(error)).not.toContain(apiKey)
    }
    // Negative control: the error of fetch for an invalid header value contains it, so the client checks first.
    expect(() => new Headers({ authorization: `APIKey ${apiKey}\n\n.` })).toThrow(apiKey)
    const broken = () => new Storekeep({ apiKey: `${apiKey}\n\n.`, storeId, baseUrl: server.baseUrl })
    expect(broken).toThrow(/^apiKey must be/)
    expect(broken).not.toThrow(apiKey)
  })

  it('an API key is rejected by the storefront client and in browsers', () => {
    const baseUrl = 'http://127.0.0.1:9'
    const withKey = { apiKey, storeId, baseUrl }
    expect(() => new Storefront(withKey)).toThrow('no API key')
    expect(() => new Storefront({ customerToken: apiKey, storeId, baseUrl })).toThrow('must stay on servers')
    Object.assign(globalThis, { window: {}, document: {} })
    try {
      expect(() => new Storekeep(withKey)).toThrow('must not reach a browser')
    } finally {
      Reflect.deleteProperty(globalThis, 'window')
      Reflect.deleteProperty(globalThis, 'document')
    }
  })
})

describe('options', () => {
  it.each([
    ['a number as storeId', { storeId: 411486491630370800 as unknown as string }],
    ['a name as storeId', { storeId: 'rust' }],
    ['an empty API key', { apiKey: '' }],
    ['an API key with its scheme', { apiKey: `APIKey ${apiKey}` }],
    ['a base URL without a scheme', { baseUrl: 'localhost' }],
    ['a base URL of another scheme', { baseUrl: 'ftp://localhost' }],
    ['a base URL with credentials', { baseUrl: 'http://me:secret@localhost' }],
    ['a base URL with a query', { baseUrl: 'http://localhost/?a=1' }],
  ])('%s is rejected', (_name, wrong) => {
    expect(() => new Storekeep({ apiKey, storeId, baseUrl: 'http://127.0.0.1:9', ...wrong })).toThrow(TypeError)
  })

  it('a base URL may have a path and end with a slash', async () => {
    const server = await startServer(found)
    await server.storekeep({ baseUrl: `${server.baseUrl}/api/` }).customers.get('1')
    expect(server.requests[0]?.url).toBe(`/api/v1/stores/${storeId}/customers/1`)
  })
})

it('a storefront request has the store header, the token and the address of the customer', async () => {
  const server = await startServer(found)
  const anonymous = server.storefront({ customerIp: '192.0.2.1', customerCountry: 'DE' })
  await anonymous.getStore()
  await anonymous.withCustomerToken(token).getSignedInCustomer()
  const [first, second] = server.requests
  expect(first?.headers).not.toHaveProperty('authorization')
  expect(second).toMatchObject({
    url: '/v1/store/customer',
    headers: {
      authorization: `Customer ${token}`,
      'x-service-store-id': storeId,
      'x-service-customer-ip': '192.0.2.1',
      'x-service-customer-countrycode': 'DE',
    },
  })
})
