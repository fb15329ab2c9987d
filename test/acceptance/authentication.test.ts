import {
  type CustomerBody,
  expectFault,
  fresh,
  type HttpResponse,
  type Operation,
  operationsOf,
  unknownId,
  useSharedSystem,
  waitFor,
} from '@storekeep/test/kit'
import { describe, expect, it } from 'vitest'

const { createStore, operator, http, contract } = await useSharedSystem()
const [store, other] = await Promise.all([createStore(), createStore()])
const { body: customer } = await store.post<CustomerBody>('/customers', { name: fresh.name() })
const { body: minted } = await store.post<{ token: string }>(`/customers/${customer.id}/tokens`)

const management = operationsOf(contract.description).filter(({ auth }) => auth === 'key')

function call({ method, template }: Operation, authorization?: string, storeId = store.id): Promise<HttpResponse> {
  const path = template.replace('{storeId}', storeId).replace(/\{\w+\}/g, customer.id)
  return http.request(method, path, {
    ...((method === 'POST' || method === 'PATCH') && { json: path.endsWith('/bulk') ? [] : {} }),
    headers: { authorization },
  })
}

describe.each(management)('$method $template', (operation) => {
  it.each([
    ['no credential', undefined],
    ['an empty header', ''],
    ['the scheme alone', 'APIKey'],
    ['garbage', 'APIKey garbage'],
    ['a well-formed but unknown key', `APIKey ${store.apiKey.slice(0, -8)}AAAAAAAA`],
    ['a key in another scheme', `Bearer ${store.apiKey}`],
    ['two keys', `APIKey ${store.apiKey} ${store.apiKey}`],
    ['a customer token', `Customer ${minted.token}`],
    ['a customer token in the APIKey scheme', `APIKey ${minted.token}`],
  ])('returns 401 for %s', async (_, authorization) => {
    const response = await call(operation, authorization)
    expectFault(response, 'unauthorized')
    expect(response.headers['www-authenticate']).toMatch(/^APIKey/)
  })

  it('returns the same 403 for the key of another store whether or not the store exists', async () => {
    const existing = expectFault(await call(operation, `APIKey ${other.apiKey}`), 'forbidden')
    const unknown = expectFault(await call(operation, `APIKey ${other.apiKey}`, unknownId), 'forbidden')
    expect(existing.message).toBe(unknown.message)
  })

  it('returns 400 for a malformed store id with a valid key and 401 without one', async () => {
    expect((await call(operation, `APIKey ${store.apiKey}`, 'abc')).status).toBe(400)
    expectFault(await call(operation, undefined, 'abc'), 'unauthorized')
  })
})

describe('an API key', () => {
  it('is accepted with any case of the scheme name', async () => {
    for (const scheme of ['APIKey', 'apikey', 'APIKEY', 'ApiKey']) {
      const { status } = await http.request('GET', `/v1/stores/${store.id}/customers`, {
        headers: { authorization: `${scheme} ${store.apiKey}` },
      })
      expect(status, scheme).toBe(200)
    }
  })

  it('has a recognizable prefix', () => {
    expect(store.apiKey).toMatch(/^skapi_[A-Za-z0-9_-]{40,}$/)
  })

  it('is rejected after it expires', async () => {
    const { key } = await operator.createKey(store.id, { expiresAt: new Date(Date.now() + 1500) })
    const headers = { authorization: `APIKey ${key}` }
    const path = `/v1/stores/${store.id}/customers`
    expect((await http.request('GET', path, { headers })).status).toBe(200)
    const rejected = await waitFor('the key to expire', async () => {
      const response = await http.request('GET', path, { headers })
      return response.status !== 200 && response
    })
    expectFault(rejected, 'unauthorized')
  })

  it('is rejected by every operation after it is revoked', async () => {
    const gone = await createStore()
    await operator.revokeKey(gone.apiKeyId)
    await waitFor('the key to be rejected', async () => (await gone.get('/customers')).status === 401)
    for (const operation of management) {
      expectFault(await call(operation, `APIKey ${gone.apiKey}`, gone.id), 'unauthorized')
    }
  })
})
