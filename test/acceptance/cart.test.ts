import { expectFault, fresh, unknownId, useSharedSystem, waitFor } from '@storekeep/test/kit'
import { describe, expect, it } from 'vitest'

const { createStore, shopper } = await useSharedSystem()

interface CartBody {
  lines: { product_id: string; quantity: number; unit_price: number | null; problem: { code: string } | null }[]
  subtotal_amount: number
  currency: string
}

/** A store with a product, and a customer who signed in with a typed name. */
async function openStore() {
  const store = await createStore({ game: 'minecraft_offline' })
  const product = await store.post<{ id: string }>('/products', { name: 'VIP', price: 999 })
  const json = { platform: 'minecraft', id: fresh.name() }
  const { body } = await store.shop<{ customer_token: string }>('POST', '/store/customer/auth', { json })
  const token = body.customer_token
  const cart = <Body = CartBody>(method: string, path = '', json?: object) =>
    store.shop<Body>(method, `/store/cart${path}`, { token, ...(json && { json }) })
  return { store, productId: product.body.id, cart }
}

describe('the cart of a customer', () => {
  it('is filled, checked out and empty once it is paid', async () => {
    const { store, productId, cart } = await openStore()
    expect((await cart('GET')).body).toMatchObject({ lines: [], subtotal_amount: 0 })
    const lines = [
      { product_id: productId, quantity: 2 },
      { product_id: unknownId, quantity: 1 },
    ]
    const filled = await cart('PUT', '/lines', { lines })
    expect(filled.status, filled.text).toBe(200)
    expect(filled.body).toMatchObject({
      lines: [
        { product_id: productId, quantity: 2, unit_price: 999, problem: null },
        { product_id: unknownId, unit_price: null, problem: { code: 'product-unavailable' } },
      ],
      subtotal_amount: 1998,
    })
    expect((await cart('GET')).body).toEqual(filled.body)
    expectFault(await cart('POST', '/checkout', {}), 'validation-failed', ['lines.1.product_id'])
    await cart('PUT', '/lines', { lines: lines.slice(0, 1) })
    const created = await cart<{ id: string; url: string }>('POST', '/checkout', {})
    expect(created.status, created.text).toBe(200)
    const session = await store.get(`/checkouts/${created.body.id}`)
    expect(session.body).toMatchObject({ editable: true, total_amount: 1998, created_by: { type: 'customer' } })
    expect((await cart('GET')).body.lines).toHaveLength(1)
    await store.patch('/payment-settings', { enabled_providers: ['test'] })
    await shopper.pay(store.id, created.body.url)
    await waitFor('the session to be completed', async () => {
      const { body } = await store.get<{ status: string }>(`/checkouts/${created.body.id}`)
      return body.status === 'completed'
    })
    expect((await cart('GET')).body.lines).toEqual([])
    expectFault(await cart('POST', '/checkout', {}), 'validation-failed', ['lines'])
  })

  it('is cleared', async () => {
    const { productId, cart } = await openStore()
    await cart('PUT', '/lines', { lines: [{ product_id: productId, quantity: 1 }] })
    expect((await cart('DELETE')).status).toBe(204)
    expect((await cart('GET')).body.lines).toEqual([])
  })
})
