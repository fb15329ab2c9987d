import { type CustomerBody, expectFault, fresh, useSharedSystem, waitFor } from '@storekeep/test/kit'
import { describe, expect, it } from 'vitest'

const { createStore, operator, http } = await useSharedSystem()

describe('a store server signs a customer in', () => {
  it('looks up, creates on 404, mints a token, uses it, and revokes it', async () => {
    const store = await createStore({ game: 'rust' })
    const steamId = fresh.steamId()

    expectFault(await store.get(`/customers/lookup?steam_id=${steamId}`), 'not-found')

    const created = await store.post<CustomerBody>('/customers', { steam_id: steamId })
    expect(created.status).toBe(200)
    expect(created.body).toMatchObject({ store_id: store.id, steam_id: steamId })

    const found = await store.get<CustomerBody>(`/customers/lookup?steam_id=${steamId}`)
    expect(found.body.id).toBe(created.body.id)

    const minted = await store.post<{ token: string }>(`/customers/${created.body.id}/tokens`)
    expect(minted.status).toBe(200)

    const { token } = minted.body
    const whoAmI = await store.shop<CustomerBody>('GET', '/store/customer', { token })
    expect(whoAmI.status).toBe(200)
    expect(whoAmI.body.id).toBe(created.body.id)
    expect(whoAmI.body.profile).toMatchObject({ platform: 'steam', id: steamId })

    const revoked = await store.delete(`/customers/${created.body.id}/tokens`)
    expect(revoked.status).toBe(204)
    expect(revoked.text).toBe('')

    expectFault(await store.shop('GET', '/store/customer', { token }), 'unauthorized')
  })

  it('can sign the same customer in again after all tokens were revoked', async () => {
    const store = await createStore()
    const { body: customer } = await store.post<CustomerBody>('/customers', { steam_id: fresh.steamId() })
    await store.delete(`/customers/${customer.id}/tokens`)
    const { body } = await store.post<{ token: string }>(`/customers/${customer.id}/tokens`)
    const whoAmI = await store.shop<CustomerBody>('GET', '/store/customer', { token: body.token })
    expect(whoAmI.body.id).toBe(customer.id)
  })
})

describe('a revoked API key', () => {
  it('is rejected while the second key of the store still works', async () => {
    const store = await createStore()
    const second = await operator.createKey(store.id)
    expect((await store.get('/customers')).status).toBe(200)
    await operator.revokeKey(store.apiKeyId)
    // The gateway is notified by a message, which takes a moment.
    const rejected = await waitFor('the key to be rejected', async () => {
      const response = await store.get('/customers')
      return response.status !== 200 && response
    })
    expectFault(rejected, 'unauthorized')
    expect(rejected.headers['www-authenticate']).toMatch(/^APIKey/i)
    const response = await http.request('GET', `/v1/stores/${store.id}/customers`, {
      headers: { authorization: `APIKey ${second.key}` },
    })
    expect(response.status).toBe(200)
  })
})
