import { errors } from '@storekeep/common/errors'
import { describe, expect, it } from 'vitest'
import { isOfStorefront } from '../src/http/endpoint.ts'
import { endpoints } from '../src/routes/index.ts'
import { itemsOf, useGateway } from './harness.ts'
import { newApiKey, newId } from './ids.ts'

const gateway = useGateway()
const typed = { platform: 'minecraft', id: 'Robin_42' }
const order = { lines: [{ product_id: newId(), quantity: 1 }] }
const storefront: [method: string, path: string, json?: object][] = [
  ['GET', '/v1/store'],
  ['GET', '/v1/store/products'],
  ['GET', '/v1/store/products/vip-rank'],
  ['GET', '/v1/store/tags'],
  ['GET', '/v1/store/cart'],
  ['PUT', '/v1/store/cart/lines', order],
  ['DELETE', '/v1/store/cart'],
  ['POST', '/v1/store/cart/checkout', {}],
  ['GET', '/v1/store/customer'],
  ['GET', '/v1/store/customer/delivery/items'],
  ['GET', '/v1/store/customer/orders'],
  ['GET', '/v1/store/customer/orders/5'],
  ['GET', '/v1/store/customer/subscriptions'],
  ['GET', '/v1/store/customer/subscriptions/5'],
  ['DELETE', '/v1/store/customer/subscriptions/5'],
  ['POST', '/v1/store/customer/auth', typed],
  ['POST', '/v1/checkouts', order],
]

describe.each(storefront)('%s %s', (method, path, body) => {
  const json = body && { json: body }

  function call(headers: Record<string, string | undefined>, store = gateway.newStore()) {
    const { authorization } = store.signIn()
    const all = { authorization, 'x-service-store-id': store.id, ...headers }
    return gateway.request(method, path, { ...json, headers: all })
  }

  const success = method === 'DELETE' ? 204 : 200

  it(`returns ${success}`, async () => {
    expect((await call({})).status).toBe(success)
  })

  it('rejects an unknown query parameter', async () => {
    const store = gateway.newStore()
    const headers = { authorization: store.signIn().authorization, 'x-service-store-id': store.id }
    const response = await gateway.request(method, `${path}?lang=de`, { ...json, headers })
    expect(itemsOf(response)).toEqual(['lang enum'])
  })

  it('requires the store header', async () => {
    expect(itemsOf(await call({ 'x-service-store-id': undefined }))).toEqual(['x-service-store-id required'])
  })

  it.each(['', 'abc', '0', '9223372036854775808', '1, 2'])('rejects the store id "%s"', async (id) => {
    expect(itemsOf(await call({ 'x-service-store-id': id }))).toEqual(['x-service-store-id format'])
  })

  it('accepts the header names of the original interface', async () => {
    const store = gateway.newStore()
    const own = { 'x-service-store-id': undefined, 'x-paynow-store-id': store.id }
    const headers = { ...own, 'x-paynow-customer-ip': '203.0.113.7', 'x-paynow-customer-countrycode': 'DE' }
    expect((await call(headers, store)).status).toBe(success)
    expect((await call({ 'x-paynow-store-id': store.id }, store)).status).toBe(success)
    expect(itemsOf(await call({ ...own, 'x-paynow-customer-ip': 'localhost' }, store))).toEqual([
      'x-service-customer-ip format',
    ])
  })

  it.each([
    ['x-paynow-store-id', {}],
    ['x-paynow-customer-ip', { 'x-service-customer-ip': '203.0.113.8' }],
    ['x-paynow-customer-countrycode', { 'x-service-customer-countrycode': 'FR' }],
  ])('rejects a value of %s that contradicts our header', async (alias, own) => {
    expect(itemsOf(await call({ ...own, [alias]: '7' }))).toEqual([`${alias} exclusive`])
  })

  it('returns 404 for an unknown store', async () => {
    const unknown = () => Promise.reject(errors.notFound('store'))
    Object.assign(gateway.services.overrides, { getStore: unknown, verifyToken: unknown, getSignInKey: unknown })
    expect((await call({})).body).toMatchObject({ status: 404, code: 'not-found' })
  })

  it.each(['203.0.113.7', '2001:db8::7', '::ffff:203.0.113.7', ''])(
    'accepts the customer address "%s"',
    async (address) => {
      expect((await call({ 'x-service-customer-ip': address })).status).toBe(success)
    },
  )

  it.each(['203.0.113.256', '203.0.113.7:80', 'localhost', '203.0.113.7, 10.0.0.1'])(
    'rejects the customer address "%s"',
    async (address) => {
      expect(itemsOf(await call({ 'x-service-customer-ip': address }))).toEqual(['x-service-customer-ip format'])
    },
  )

  it.each(['DE', 'de', 'xx', 'XX', 'T1', 't1', ''])('accepts the country "%s"', async (code) => {
    expect((await call({ 'x-service-customer-countrycode': code })).status).toBe(success)
  })

  it.each(['D', 'DEU', '12', 'T2'])('rejects the country "%s"', async (code) => {
    const response = await call({ 'x-service-customer-countrycode': code })
    expect(itemsOf(response)).toEqual(['x-service-customer-countrycode pattern'])
  })

  it('allows any origin, without credentials', async () => {
    for (const headers of [{}, { 'x-service-store-id': undefined }]) {
      const response = await call({ ...headers, origin: 'https://shop.example.com' })
      expect(response.headers['access-control-allow-origin']).toBe('*')
      expect(response.headers['access-control-allow-credentials']).toBeUndefined()
    }
  })

  it('responds to a CORS preflight', async () => {
    const { status, headers, text } = await gateway.request('OPTIONS', path, {
      headers: { origin: 'https://shop.example.com', 'access-control-request-method': method },
    })
    expect({ status, text }).toEqual({ status: 204, text: '' })
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': expect.stringContaining(method),
      'access-control-allow-headers':
        'authorization, content-type, if-none-match, x-service-store-id, x-service-customer-ip, x-service-customer-countrycode, x-request-id, traceparent, x-paynow-store-id, x-paynow-customer-ip, x-paynow-customer-countrycode',
      'access-control-max-age': '7200',
    })
  })
})

it('the management endpoints have no CORS headers', async () => {
  const path = `/v1/stores/${newId()}/customers`
  const asked = await gateway.request('OPTIONS', path, {
    headers: { origin: 'https://shop.example.com', 'access-control-request-method': 'GET' },
  })
  expect(asked.status).toBe(405)
  const response = await gateway
    .newStore()
    .send('GET', '/customers', { headers: { origin: 'https://shop.example.com' } })
  const names = [...Object.keys(asked.headers), ...Object.keys(response.headers)]
  expect(names.filter((name) => name.startsWith('access-control'))).toEqual([])
})

it('these tests cover every storefront endpoint', () => {
  const declared = endpoints.filter(isOfStorefront).map(({ method, path }) => `${method.toUpperCase()} ${path}`)
  const covered = declared.filter((name) => {
    const pattern = new RegExp(`^${name.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
    return storefront.some(([method, path]) => pattern.test(`${method} ${path}`))
  })
  expect(covered).toEqual(declared)
})

describe('GET /v1/store', () => {
  it('returns every field, null for absent values', async () => {
    const store = gateway.newStore()
    expect((await store.shop('GET', '')).body).toEqual({
      id: store.id,
      slug: 'rusty-hut',
      name: 'Rusty Hut',
      game: 'rust',
      currency: 'eur',
      logo_url: null,
      logo_square_url: null,
    })
  })

  it('makes no token check without a token', async () => {
    await gateway.newStore().shop('GET', '')
    expect(gateway.services.calls.map(({ name }) => name)).toEqual(['getStore'])
  })

  it('fetches each store once in five seconds', async () => {
    const [store, other] = [gateway.newStore(), gateway.newStore()]
    const calls = () => gateway.services.calls.filter(({ name }) => name === 'getStore').length
    for (let n = 0; n < 3; n += 1) expect((await store.shop('GET', '')).body).toMatchObject({ id: store.id })
    expect(calls()).toBe(1)
    expect((await other.shop('GET', '')).body).toMatchObject({ id: other.id })
    expect(calls()).toBe(2)
    gateway.clock.ahead = 5_100
    await store.shop('GET', '')
    expect(calls()).toBe(3)
  })

  it.each(['', ' '])('treats the empty credential "%s" as none', async (authorization) => {
    expect((await gateway.newStore().shop('GET', '', { headers: { authorization } })).status).toBe(200)
  })

  it.each(['Customer', 'Customer nonsense', `APIKey ${newApiKey()}`])('rejects the credential "%s"', async (value) => {
    const response = await gateway.newStore().shop('GET', '', { headers: { authorization: value } })
    expect(response.body).toMatchObject({ code: 'unauthorized' })
    expect(response.headers['www-authenticate']).toMatch(/^Customer/)
  })

  it('responds anonymously when the customers service is unavailable', async () => {
    gateway.services.overrides.verifyToken = () => Promise.reject(errors.unavailable())
    const store = gateway.newStore()
    const { authorization } = store.signIn()
    expect((await store.shop('GET', '', { headers: { authorization } })).status).toBe(200)
  })
})

describe('GET /v1/store/customer', () => {
  it('returns the customer with a single call, the token check', async () => {
    const store = gateway.newStore()
    const { authorization, customerId } = store.signIn()
    const { body } = await store.shop('GET', '/customer', { headers: { authorization } })
    expect(body).toMatchObject({ id: customerId, store_id: store.id, profile: { platform: 'service' } })
    expect(gateway.services.calls.map(({ name }) => name)).toEqual(['verifyToken'])
  })

  it.each([undefined, '', 'Customer', 'Customer a b', 'Bearer x', `APIKey ${newApiKey()}`])(
    'rejects the credential %j',
    async (authorization) => {
      const response = await gateway.newStore().shop('GET', '/customer', { headers: { authorization } })
      expect(response.body).toMatchObject({ code: 'unauthorized' })
      expect(response.headers['www-authenticate']).toMatch(/^Customer/)
      expect(gateway.services.calls).toEqual([])
    },
  )

  it.each(['', 'Bearer '])(
    'says that the scheme is missing after "%s", without repeating the token',
    async (prefix) => {
      const store = gateway.newStore()
      const token = store.signIn().authorization.replace('Customer ', '')
      const { status, body, text } = await store.shop('GET', '/customer', {
        headers: { authorization: prefix + token },
      })
      expect([status, body]).toMatchObject([401, { message: expect.stringContaining('lacks the scheme "Customer"') }])
      expect(text).not.toContain(token)
    },
  )

  it('rejects the token of another store', async () => {
    const { authorization } = gateway.newStore().signIn()
    const response = await gateway.newStore().shop('GET', '/customer', { headers: { authorization } })
    expect(response.body).toMatchObject({ status: 403, code: 'forbidden' })
  })
})

describe('POST /v1/store/customer/auth', () => {
  const signIn = (json: unknown, headers = {}) => gateway.newStore().shop('POST', '/customer/auth', { json, headers })

  it('passes the typed name to the service as an anonymous actor', async () => {
    expect((await signIn(typed)).body).toEqual({ customer_token: 'skcus_signed_in' })
    expect(gateway.services.calls).toMatchObject([
      { name: 'getSignInKey', request: typed, call: { actor: { type: 1 } } },
      { name: 'signIn', request: typed, call: { actor: { type: 1 } } },
    ])
  })

  it('ignores an Authorization header and an Idempotency-Key', async () => {
    for (const authorization of ['garbage', `APIKey ${newApiKey()}`]) {
      const { status } = await signIn(typed, { authorization, 'idempotency-key': 'a b' })
      expect(status).toBe(200)
    }
    const signIns = gateway.services.calls.filter(({ name }) => name === 'signIn')
    expect(signIns.map(({ call }) => call.idempotency)).toEqual([undefined, undefined])
  })

  it.each([
    [{}, ['id required', 'platform required']],
    [{ platform: 'minecraft' }, ['id required']],
    [{ id: 'Robin' }, ['platform required']],
    [{ ...typed, platform: 'nintendo' }, ['platform enum']],
    [{ ...typed, platform: null }, ['platform enum']],
    [{ ...typed, id: 5 }, ['id type']],
    [{ ...typed, id: '' }, ['id length']],
    [{ ...typed, id: 'x'.repeat(129) }, ['id length']],
  ])('rejects %j', async (json, items) => {
    expect(itemsOf(await signIn(json)).sort()).toEqual(items)
  })

  it.each(['steam', 'minecraft_uuid', 'xbox_xuid'])('leaves the rejection of %s to the service', async (platform) => {
    gateway.services.overrides.signIn = () => Promise.reject(errors.platformNotAllowed('Use the server-side flow.'))
    expect((await signIn({ platform, id: 'x' })).body).toMatchObject({ status: 403, code: 'platform-not-allowed' })
  })
})

describe('with STOREFRONT_HEADER_ALIASES=false', () => {
  const strict = useGateway({ STOREFRONT_HEADER_ALIASES: 'false', REDIS_TIMEOUT_MS: '2000' })

  it('only our header names are read and allowed', async () => {
    const { id } = strict.newStore()
    const headers = { 'x-paynow-store-id': id }
    expect(itemsOf(await strict.request('GET', '/v1/store', { headers }))).toEqual(['x-service-store-id required'])
    const { headers: allowed } = await strict.request('OPTIONS', '/v1/store')
    expect(allowed['access-control-allow-headers']).not.toContain('x-paynow')
  })
})

describe('POST /v1/checkouts', () => {
  const post = (json: object, headers: Record<string, string> = {}) => {
    const store = gateway.newStore()
    const { authorization, customerId } = store.signIn()
    const all = { authorization, 'x-service-store-id': store.id, ...headers }
    return { customerId, response: gateway.request('POST', '/v1/checkouts', { json, headers: all }) }
  }

  it('creates a session for the customer of the token and no other', async () => {
    const { customerId, response } = post({ ...order, customer_id: newId() })
    expect((await response).body).toEqual({
      id: expect.any(String),
      token: expect.any(String),
      url: expect.any(String),
    })
    const last = gateway.services.calls.at(-1)
    expect(last?.request).toMatchObject({ customerId, customerIp: '127.0.0.1' })
    expect(last?.call.actor).toMatchObject({ id: customerId })
  })

  it('passes on what a customer may choose', async () => {
    const line = { ...order.lines[0], selected_gameserver_id: newId(), custom_variables: { color: 'red' } }
    await post({ lines: [line], promo_codes: ['SUMMER'] }, { 'x-paynow-customer-ip': '203.0.113.7' }).response
    expect(gateway.received()).toMatchObject({
      customerIp: '203.0.113.7',
      promoCodes: ['SUMMER'],
      lines: [{ selectedGameserverId: line.selected_gameserver_id, customVariables: { color: 'red' } }],
    })
  })

  it('ignores prices, payout splits, coupons by id and metadata', async () => {
    const line = { ...order.lines[0], metadata: { a: 'b' }, payout_splits: [{ payout_id: '7' }] }
    await post({ lines: [line], coupon_id: newId(), metadata: { a: 'b' } }).response
    const request = gateway.received() as { lines: object[] }
    expect(request).toMatchObject({ metadata: {}, lines: [{ metadata: {}, payoutSplits: [] }] })
    expect(request).not.toHaveProperty('couponId', expect.anything())
    const inline = { quantity: 1, inline_product: { name: 'Free', price: 0, allow_one_time_purchase: true } }
    expect(itemsOf(await post({ lines: [inline] }).response)).toEqual(['lines.0.product_id required'])
  })

  it('is limited per customer', async () => {
    const store = gateway.newStore()
    const headers = { authorization: store.signIn().authorization, 'x-service-store-id': store.id }
    const send = () => gateway.request('POST', '/v1/checkouts', { json: order, headers })
    const statuses = await Promise.all(Array.from({ length: 21 }, async () => (await send()).status))
    expect(statuses.sort()).toEqual([...Array(20).fill(200), 429])
  })

  it('rejects a typed name without a token', async () => {
    const store = gateway.newStore()
    const headers = { 'x-service-store-id': store.id }
    expect((await gateway.request('POST', '/v1/checkouts', { json: order, headers })).status).toBe(401)
  })
})

describe('GET /v1/store/customer/delivery/items', () => {
  it('shows what an item waits for, and neither commands nor addresses', async () => {
    const store = gateway.newStore()
    const { authorization, customerId } = store.signIn()
    const { body, text } = await store.shop('GET', '/customer/delivery/items?activeOnly=true', {
      headers: { authorization },
    })
    expect(body).toMatchObject([{ state: 'usable', waits_for: [{ online_only: true, is_blocked: false }] }])
    expect(text).not.toContain('diamond')
    const listed = gateway.services.calls.find(({ name }) => name === 'listDeliveryItems')
    expect(listed?.request).toMatchObject({ customerId, activeOnly: true })
  })
})
