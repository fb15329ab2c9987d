import { type CustomerBody, expectFault, fresh, type StoreBody, unknownId, useSharedSystem } from '@storekeep/test/kit'
import { describe, expect, it } from 'vitest'

const { createStore, http } = await useSharedSystem()
const store = await createStore()
const { body: customer } = await store.post<CustomerBody>('/customers', { name: fresh.name() })
const { body: minted } = await store.post<{ token: string }>(`/customers/${customer.id}/tokens`)
const expected = {
  id: store.id,
  slug: store.slug,
  name: `Store ${store.slug}`,
  game: 'rust',
  currency: 'eur',
  logo_url: null,
  logo_square_url: null,
}

describe('GET /store', () => {
  it('returns the store to anonymous callers', async () => {
    const { status, body } = await store.shop<StoreBody>('GET', '/store')
    expect(status).toBe(200)
    expect(body).toEqual(expected)
  })

  it('returns the store to a signed-in customer', async () => {
    expect((await store.shop('GET', '/store', { token: minted.token })).body).toEqual(expected)
  })

  it.each(['minecraft', 'minecraft_offline', 'minecraft_geyser'] as const)('names the game %s', async (game) => {
    const other = await createStore({ game })
    expect((await other.shop<StoreBody>('GET', '/store')).body.game).toBe(game)
  })

  it('rejects an invalid token although none is required', async () => {
    for (const token of ['garbage', `${minted.token}x`, minted.token.toLowerCase()]) {
      expectFault(await store.shop('GET', '/store', { token }), 'unauthorized')
    }
    const revoked = await store.post<{ token: string }>(`/customers/${customer.id}/tokens`)
    const { body: other } = await store.post<CustomerBody>('/customers', { name: fresh.name() })
    const { body: theirs } = await store.post<{ token: string }>(`/customers/${other.id}/tokens`)
    await store.delete(`/customers/${other.id}/tokens`)
    expectFault(await store.shop('GET', '/store', { token: theirs.token }), 'unauthorized')
    expect((await store.shop('GET', '/store', { token: revoked.body.token })).status).toBe(200)
  })

  it('rejects an API key', async () => {
    const response = await store.shop('GET', '/store', { headers: { authorization: `APIKey ${store.apiKey}` } })
    expectFault(response, 'unauthorized')
  })

  it('returns 403 for the token of another store', async () => {
    const other = await createStore()
    expectFault(await other.shop('GET', '/store', { token: minted.token }), 'forbidden')
  })
})

describe.each([
  ['GET', '/store'],
  ['GET', '/store/customer'],
  ['POST', '/store/customer/auth'],
])('%s %s', (method, path) => {
  const call = (headers: Record<string, string | undefined>) =>
    store.shop(method, path, {
      ...(method === 'POST' ? { json: { platform: 'minecraft', id: 'Steve' } } : { token: minted.token }),
      headers,
    })

  it('requires the store header', async () => {
    expect((await call({ 'x-service-store-id': undefined })).status).toBe(400)
  })

  it.each(['', 'abc', '0', '-1', '9223372036854775808', '1,2'])('rejects the malformed store id "%s"', async (id) => {
    expect((await call({ 'x-service-store-id': id })).status).toBe(400)
  })

  it('returns 404 for an unknown store', async () => {
    const { status } = await call({ 'x-service-store-id': unknownId, authorization: undefined })
    expect(status).toBe(path === '/store/customer' ? 401 : 404)
  })

  it.each(['203.0.113.7', '2001:db8::7', '::ffff:203.0.113.7', '::1'])(
    'accepts the customer address %s',
    async (ip) => {
      expect((await call({ 'x-service-customer-ip': ip })).status).toBe(method === 'POST' ? 403 : 200)
    },
  )

  it.each(['203.0.113', '203.0.113.256', 'localhost', '2001:db8::7::1', '203.0.113.7, 10.0.0.1'])(
    'rejects the customer address %s',
    async (ip) => {
      expect((await call({ 'x-service-customer-ip': ip })).status).toBe(400)
    },
  )

  it('accepts a country of two upper- or lower-case letters, XX, T1 or none, and nothing else', async () => {
    for (const country of ['DE', 'de', 'XX', 'T1', '']) {
      const { status } = await call({ 'x-service-customer-countrycode': country })
      expect(status, country).toBe(method === 'POST' ? 403 : 200)
    }
    for (const country of ['DEU', 'D', '49']) {
      expect((await call({ 'x-service-customer-countrycode': country })).status, country).toBe(400)
    }
  })
})

describe('calls from a browser', () => {
  const origin = { origin: 'https://shop.example.com' }
  const preflight = (path: string, method: string, headers: string) =>
    http.request('OPTIONS', path, {
      headers: { ...origin, 'access-control-request-method': method, 'access-control-request-headers': headers },
    })

  it('are allowed from any origin on the storefront, without credentials', async () => {
    const response = await store.shop('GET', '/store', { headers: origin })
    expect(response.headers['access-control-allow-origin']).toBe('*')
    expect(response.headers['access-control-allow-credentials']).toBeUndefined()
    const faulty = await store.shop('GET', '/store/customer', { headers: origin })
    expect(faulty.status).toBe(401)
    expect(faulty.headers['access-control-allow-origin']).toBe('*')
  })

  it.each([
    ['/v1/store', 'GET'],
    ['/v1/store/customer', 'GET'],
    ['/v1/store/customer/auth', 'POST'],
  ])('are allowed by the preflight on %s', async (path, method) => {
    const requested =
      'authorization, content-type, x-service-store-id, x-service-customer-ip, traceparent, x-paynow-store-id, x-paynow-customer-ip'
    const response = await preflight(path, method, requested)
    expect(response.status).toBe(204)
    expect(response.headers['access-control-allow-origin']).toBe('*')
    expect(response.headers['access-control-allow-methods']).toContain(method)
    const allowed = String(response.headers['access-control-allow-headers'])
      .toLowerCase()
      .split(/\s*,\s*/)
    expect(allowed).toEqual(expect.arrayContaining(requested.split(', ')))
    expect(allowed).not.toContain('*')
  })

  it('are not allowed on the management API', async () => {
    const preflighted = await preflight(`/v1/stores/${store.id}/customers`, 'GET', 'authorization')
    expect(preflighted.headers['access-control-allow-origin']).toBeUndefined()
    expect(preflighted.status).toBe(405)
    const response = await store.get('/customers', { headers: origin })
    expect(response.headers['access-control-allow-origin']).toBeUndefined()
  })
})

it('the store can be named by the header of the original interface', async () => {
  const headers = { 'x-service-store-id': undefined, 'x-paynow-store-id': store.id }
  expect((await store.shop('GET', '/store', { headers })).status).toBe(200)
})
