import { type CustomerBody, expectFault, fresh, type TestStore, unknownId, useSharedSystem } from '@storekeep/test/kit'
import { describe, expect, it } from 'vitest'

const { createStore } = await useSharedSystem()

async function newCustomer(store: TestStore): Promise<CustomerBody> {
  const { body } = await store.post<CustomerBody>('/customers', { name: fresh.name() })
  return body
}

async function mint(store: TestStore, customerId: string): Promise<string> {
  const { status, body, text } = await store.post<{ token: string }>(`/customers/${customerId}/tokens`)
  expect(status, text).toBe(200)
  return body.token
}

describe('POST /customers/{customerId}/tokens', () => {
  it('returns a new token for each call, with a recognizable prefix', async () => {
    const store = await createStore()
    const customer = await newCustomer(store)
    const tokens = new Set(await Promise.all(Array.from({ length: 10 }, () => mint(store, customer.id))))
    expect(tokens.size).toBe(10)
    for (const token of tokens) {
      expect(token).toMatch(/^skcus_[A-Za-z0-9_-]+$/)
      expect((await store.shop<CustomerBody>('GET', '/store/customer', { token })).body.id).toBe(customer.id)
    }
  })

  it('accepts an empty JSON body', async () => {
    const store = await createStore()
    const customer = await newCustomer(store)
    const { status } = await store.post(`/customers/${customer.id}/tokens`, {})
    expect(status).toBe(200)
  })

  it('returns 404 for an unknown customer and for one of another store', async () => {
    const [store, other] = await Promise.all([createStore(), createStore()])
    const foreign = await newCustomer(other)
    expectFault(await store.post(`/customers/${unknownId}/tokens`), 'not-found')
    expectFault(await store.post(`/customers/${foreign.id}/tokens`), 'not-found')
    expect((await store.post('/customers/abc/tokens')).status).toBe(400)
  })
})

describe('DELETE /customers/{customerId}/tokens', () => {
  it('revokes every token of the customer and no other', async () => {
    const store = await createStore()
    const [customer, neighbor] = [await newCustomer(store), await newCustomer(store)]
    const tokens = [await mint(store, customer.id), await mint(store, customer.id)]
    const untouched = await mint(store, neighbor.id)
    expect((await store.delete(`/customers/${customer.id}/tokens`)).status).toBe(204)
    for (const token of tokens) expectFault(await store.shop('GET', '/store/customer', { token }), 'unauthorized')
    expect((await store.shop('GET', '/store/customer', { token: untouched })).status).toBe(200)
  })

  it('returns 204 even when there is none, and again', async () => {
    const store = await createStore()
    const customer = await newCustomer(store)
    for (let times = 0; times < 3; times++) {
      expect((await store.delete(`/customers/${customer.id}/tokens`)).status).toBe(204)
    }
    expect((await store.shop('GET', '/store/customer', { token: await mint(store, customer.id) })).status).toBe(200)
  })

  it('returns 404 for an unknown customer and for one of another store, whose tokens stay valid', async () => {
    const [store, other] = await Promise.all([createStore(), createStore()])
    const foreign = await newCustomer(other)
    const token = await mint(other, foreign.id)
    expectFault(await store.delete(`/customers/${unknownId}/tokens`), 'not-found')
    expectFault(await store.delete(`/customers/${foreign.id}/tokens`), 'not-found')
    expect((await other.shop('GET', '/store/customer', { token })).status).toBe(200)
  })

  it('orders concurrent minting and revoking: each token is either revoked or stays valid', async () => {
    const store = await createStore()
    const customer = await newCustomer(store)
    const [tokens] = await Promise.all([
      Promise.all(Array.from({ length: 20 }, () => mint(store, customer.id))),
      store.delete(`/customers/${customer.id}/tokens`),
    ])
    const look = () =>
      Promise.all(tokens.map(async (token) => (await store.shop('GET', '/store/customer', { token })).status))
    const first = await look()
    expect(new Set([...first, 200, 401])).toEqual(new Set([200, 401]))
    expect(await look()).toEqual(first)
  })
})

describe('GET /store/customer', () => {
  it('returns the whole customer of the token', async () => {
    const store = await createStore()
    const customer = await newCustomer(store)
    const { status, body } = await store.shop('GET', '/store/customer', { token: await mint(store, customer.id) })
    expect(status).toBe(200)
    expect(body).toEqual(customer)
  })

  it('reflects changes immediately', async () => {
    const store = await createStore()
    const customer = await newCustomer(store)
    const token = await mint(store, customer.id)
    await store.patch(`/customers/${customer.id}`, { name: 'Renamed' })
    const { body } = await store.shop<CustomerBody>('GET', '/store/customer', { token })
    expect(body.name).toBe('Renamed')
  })

  it('returns 403 for the token at another store', async () => {
    const [store, other] = await Promise.all([createStore(), createStore()])
    const token = await mint(store, (await newCustomer(store)).id)
    expectFault(await other.shop('GET', '/store/customer', { token }), 'forbidden')
  })

  it('rejects a token with any one character changed', async () => {
    const store = await createStore()
    const token = await mint(store, (await newCustomer(store)).id)
    for (let at = 0; at < token.length; at += 7) {
      const changed = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1)
      expectFault(await store.shop('GET', '/store/customer', { token: changed }), 'unauthorized')
    }
  })

  it.each([
    ['none', undefined],
    ['an empty header', ''],
    ['the scheme alone', 'Customer'],
    ['an empty token', 'Customer '],
    ['garbage', 'Customer garbage'],
    ['two tokens', 'Customer a b'],
    ['another scheme', 'Bearer abc'],
    ['a very long token', `Customer skcus_${'A'.repeat(4000)}`],
  ])('rejects an Authorization header that is %s and names the expected scheme', async (_, authorization) => {
    const store = await createStore()
    const response = await store.shop('GET', '/store/customer', { headers: { authorization } })
    expectFault(response, 'unauthorized')
    expect(response.headers['www-authenticate']).toMatch(/^Customer/)
  })

  it('accepts any case of the scheme name', async () => {
    const store = await createStore()
    const token = await mint(store, (await newCustomer(store)).id)
    const response = await store.shop('GET', '/store/customer', { headers: { authorization: `cUSTOMER ${token}` } })
    expect(response.status).toBe(200)
  })
})
