import { type CheckoutSessionBody, expectFault, fresh, openShop, useSharedSystem } from '@storekeep/test/kit'
import { describe, expect, it } from 'vitest'

const { createStore } = await useSharedSystem()

describe('buying in the game', () => {
  it('works with the header names and platforms of the vendor, and a token of the customer', async () => {
    const store = await createStore({ game: 'minecraft_geyser' })
    const shop = openShop(store)
    const product = await shop.product()
    const headers = { 'x-service-store-id': undefined, 'x-paynow-store-id': store.id }
    for (const [platform, id] of [
      ['minecraft', fresh.name()],
      ['minecraft_bedrock_name', fresh.name()],
    ]) {
      const json = { platform, id }
      const signedIn = await store.shop<{ customer_token: string }>('POST', '/store/customer/auth', {
        json,
        headers: { ...headers, 'x-paynow-customer-ip': fresh.ip() },
      })
      expect(signedIn.status, signedIn.text).toBe(200)
      const token = signedIn.body.customer_token
      const me = await store.shop<{ profile: { claimed: boolean } }>('GET', '/store/customer', { token, headers })
      expect(me.body.profile.claimed).toBe(true)
      const lines = [{ product_id: product.id, quantity: 1 }]
      const { body, text } = await store.shop<{ url: string }>('POST', '/checkouts', {
        token,
        headers,
        json: { lines },
      })
      expect(body.url, text).toBeDefined()
    }
  })

  it('lets a customer order only for themselves, at the price of the store', async () => {
    const store = await createStore({ game: 'minecraft_offline' })
    const shop = openShop(store)
    const [product, other] = [await shop.product(), await shop.customer()]
    const { body } = await store.shop<{ customer_token: string }>('POST', '/store/customer/auth', {
      json: { platform: 'minecraft', id: fresh.name() },
    })
    const token = body.customer_token
    const own = (await store.shop<{ id: string }>('GET', '/store/customer', { token })).body
    const order = (json: object) => store.shop<{ id: string }>('POST', '/checkouts', { token, json })
    const line = { product_id: product.id, quantity: 1 }
    const created = await order({ customer_id: other.id, lines: [{ ...line, price: 1, metadata: { rank: 'owner' } }] })
    const session = await store.get<CheckoutSessionBody>(`/checkouts/${created.body.id}`)
    expect(session.body, created.text).toMatchObject({ customer_id: own.id, total_amount: product.price })
    expect(session.body.lines[0]?.metadata).toEqual({})
    const inline_product = { name: 'VIP', price: 0 }
    expectFault(await order({ lines: [{ quantity: 1, inline_product }] }), 'validation-failed', ['lines.0.product_id'])
  })
})
