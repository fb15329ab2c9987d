import { type CustomerBody, expectFault, fresh, unknownId, useSharedSystem } from '@storekeep/test/kit'
import { describe, expect, it } from 'vitest'

const { createStore, http } = await useSharedSystem()
const store = await createStore()

function send(raw: string | Buffer, contentType: string | undefined, path = '/customers') {
  return store.post<CustomerBody>(path, undefined, { raw, headers: { 'content-type': contentType } })
}

describe('a request body', () => {
  it.each([
    'application/json',
    'text/json',
    'application/vnd.storekeep+json',
    'application/merge-patch+json',
    'Application/JSON; charset=UTF-8',
    'application/json;charset="utf-8"',
  ])('can be %s', async (contentType) => {
    const response = await send(JSON.stringify({ name: 'Ünï' }), contentType)
    expect(response.status, response.text).toBe(200)
    expect(response.body.name).toBe('Ünï')
  })

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/jsonp',
    'json',
    undefined,
  ])('cannot be %s', async (contentType) => {
    expectFault(await send('{"name":"x"}', contentType), 'unsupported-media-type')
  })

  it('cannot be compressed', async () => {
    const response = await store.post('/customers', undefined, {
      raw: '{"name":"x"}',
      headers: { 'content-encoding': 'gzip' },
    })
    expectFault(response, 'unsupported-media-type')
  })

  it.each([
    ['cut off', '{"name":"x"'],
    ['with a trailing comma', '{"name":"x",}'],
    ['with trailing content', '{"name":"x"} {}'],
    ['in single quotes', "{'name':'x'}"],
    ['with a bare word', '{"name":NaN}'],
    ['with an unterminated string', '"'],
    ['with NUL', '{"name":"a\\u0000b"}'],
    ['with NUL in a metadata key', '{"name":"a","metadata":{"\\u0000":"b"}}'],
    ['with a lone surrogate', '{"name":"\\ud800"}'],
    ['with a raw line break in a string', '{"name":"a\nb"}'],
    ['nested too deeply', `{"name":"x","deep":${'['.repeat(25)}${']'.repeat(25)}}`],
    ['nested 100,000 levels deep', '['.repeat(100_000)],
  ])('%s is rejected', async (_, raw) => {
    expectFault(await send(raw, 'application/json'), 'bad-request')
  })

  it('is rejected when it is not UTF-8', async () => {
    expectFault(await send(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), 'application/json'), 'bad-request')
  })

  it.each(['null', '[]', '5', '"text"', 'true'])('is rejected when it is %s instead of an object', async (raw) => {
    expect((await send(raw, 'application/json')).status).toBe(400)
  })

  it('cannot change a prototype', async () => {
    expectFault(await send('{"name":"x","__proto__":{"steam_id":"1"}}', 'application/json'), 'bad-request')
    const response = await send('{"name":"x","constructor":{"a":1}}', 'application/json')
    expect(response.status).toBe(200)
    expect(response.body.steam_id).toBeNull()
  })

  it('can be up to 256 KiB', async () => {
    const fill = (bytes: number) => JSON.stringify({ name: 'x', filler: 'f'.repeat(bytes - 24) })
    expect((await send(fill(256 * 1024 - 100), 'application/json')).status).toBe(200)
    expectFault(await send(fill(256 * 1024 + 100), 'application/json'), 'payload-too-large')
    expectFault(await send(fill(5 * 1024 * 1024), 'application/json'), 'payload-too-large')
  })
})

describe('a path', () => {
  const authorization = { authorization: `APIKey ${store.apiKey}` }

  it.each([
    '/v1',
    '/v2/store',
    '/v1/stores',
    '/v1/storefront',
    '/v1/store/',
    '/v1/stores//customers',
    '/V1/store',
    '/v1/store/customer/auth/x',
    '/v1/store/../store',
    '/.env',
  ])('%s does not exist', async (path) => {
    expectFault(await http.request('GET', path, { headers: { 'x-service-store-id': store.id } }), 'not-found')
  })

  it('below a store exists or not regardless of the caller', async () => {
    for (const headers of [{}, authorization]) {
      const response = await http.request('GET', `/v1/stores/${store.id}/no-such-resource`, { headers })
      expectFault(response, 'not-found')
    }
  })

  it.each([
    ['PUT', '/customers', ['GET', 'POST']],
    ['DELETE', '/customers', ['GET', 'POST']],
    ['PUT', `/customers/${unknownId}`, ['GET', 'PATCH']],
    ['DELETE', `/customers/${unknownId}`, ['GET', 'PATCH']],
    ['GET', '/customers/bulk', ['POST']],
    ['PATCH', '/customers/bulk', ['POST']],
    ['POST', '/customers/lookup', ['GET']],
    ['PATCH', '/customers/lookup', ['GET']],
    ['GET', `/customers/${unknownId}/tokens`, ['DELETE', 'POST']],
    ['GET', `/customers/${unknownId}/portal-sessions`, ['POST']],
  ])('rejects %s on %s and lists the allowed methods', async (method, path, allowed) => {
    const response = await http.request(method, `/v1/stores/${store.id}${path}`, { headers: authorization })
    expectFault(response, 'method-not-allowed')
    const listed = String(response.headers.allow)
      .split(/\s*,\s*/)
      .filter((one) => one !== 'HEAD' && one !== 'OPTIONS')
    expect(listed.sort()).toEqual(allowed)
  })

  it.each(['abc', '0', '01', '9223372036854775808'])('is rejected with the malformed store id %s', async (id) => {
    const response = await http.request('GET', `/v1/stores/${id}/customers`, { headers: authorization })
    expect(response.status).toBe(400)
  })

  it('is rejected with a malformed escape sequence', async () => {
    const { status } = await http.request('GET', `/v1/stores/${store.id}/customers/%E0%A4%A`, {
      headers: authorization,
    })
    expect(status).toBe(400)
    expect((await store.get('/customers?search=%E0%A4%A')).status).toBe(400)
    expect((await store.get('/customers?search=%00')).status).toBe(400)
  })
})

describe('a response', () => {
  it('echoes a well-formed x-request-id and generates one otherwise', async () => {
    const id = `test-${fresh.name()}`
    expect((await store.get('/customers', { headers: { 'x-request-id': id } })).headers['x-request-id']).toBe(id)
    const none = (await store.get('/customers')).headers['x-request-id']
    expect(none).toMatch(/^\S{8,}$/)
    for (const odd of ['a b', 'x'.repeat(300), '"quoted"']) {
      const given = (await store.get('/customers', { headers: { 'x-request-id': odd } })).headers['x-request-id']
      expect(given).not.toBe(odd)
      expect(given).toMatch(/^\S{8,}$/)
    }
    expect((await http.request('GET', '/nowhere')).headers['x-request-id']).toMatch(/^\S{8,}$/)
  })

  it('includes the trace of the request when it is an error', async () => {
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
    const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` }
    const known = expectFault(await store.get(`/customers/${unknownId}`, { headers }), 'not-found')
    expect(known.trace_id).toBe(traceId)
    const [one, two] = [await store.get(`/customers/${unknownId}`), await store.get(`/customers/${unknownId}`)]
    expect(expectFault(one, 'not-found').trace_id).not.toBe(expectFault(two, 'not-found').trace_id)
  })

  it('never reveals the implementation', async () => {
    for (const response of [await store.get('/customers'), await http.request('GET', '/nowhere')]) {
      expect(response.headers['x-powered-by']).toBeUndefined()
      expect(response.headers.server).toBeUndefined()
    }
  })
})
