import { expectFault, fresh, type TestStore, useSharedSystem } from '@storekeep/test/kit'
import { describe, expect, it } from 'vitest'

const { createStore } = await useSharedSystem()

interface Created {
  id: string
  token: string
  url: string
}

/** A store with a product and a customer who signed in with a typed name. */
async function openShop() {
  const store = await createStore({ game: 'minecraft_offline' })
  const terms = {
    name: 'VIP',
    slug: fresh.name(),
    price: 999,
    allow_one_time_purchase: true,
    allow_subscription: false,
  }
  const product = await store.post<{ id: string }>('/products', terms)
  const json = { platform: 'minecraft', id: fresh.name() }
  const { body } = await store.shop<{ customer_token: string }>('POST', '/store/customer/auth', { json })
  const customer = await store.shop<{ id: string }>('GET', '/store/customer', { token: body.customer_token })
  return { store, productId: product.body.id, token: body.customer_token, customerId: customer.body.id }
}

function createOwn(store: TestStore, token: string, json: object, headers = {}) {
  return store.shop<Created>('POST', '/checkouts', { token, json, headers })
}

describe('POST /v1/checkouts', () => {
  it('creates a session at the price of the store, for the customer of the token', async () => {
    const { store, productId, token, customerId } = await openShop()
    const created = await createOwn(store, token, { lines: [{ product_id: productId, quantity: 2, price: 1 }] })
    expect(created.status, created.text).toBe(200)
    const { body } = await store.get(`/checkouts/${created.body.id}`)
    expect(body).toMatchObject({
      customer_id: customerId,
      total_amount: 1998,
      created_by: { type: 'customer', id: customerId },
    })
  })

  it('accepts the headers of the plugins of game servers', async () => {
    const { store, productId, token } = await openShop()
    const headers = {
      'x-service-store-id': undefined,
      'x-paynow-store-id': store.id,
      'x-paynow-customer-ip': '203.0.113.7',
    }
    const created = await createOwn(store, token, { lines: [{ product_id: productId, quantity: 1 }] }, headers)
    expect(created.status, created.text).toBe(200)
  })

  it('rejects a banned address and a product of another store', async () => {
    const { store, productId, token } = await openShop()
    const lines = [{ product_id: productId, quantity: 1 }]
    await store.post('/bans', { reason: '', identities: [{ ban_type: 'ip', ban_type_value: '203.0.113.8' }] })
    expectFault(await createOwn(store, token, { lines }, { 'x-service-customer-ip': '203.0.113.8' }), 'customer-banned')
    const other = await openShop()
    const foreign = { lines: [{ product_id: other.productId, quantity: 1 }] }
    expectFault(await createOwn(store, token, foreign), 'validation-failed', ['lines.0.product_id'])
  })
})
