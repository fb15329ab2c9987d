import { expectFault, fresh, openDelivery, type TestStore, useSharedSystem } from '@storekeep/test/kit'
import { describe, expect, it } from 'vitest'

const { createStore, shopper } = await useSharedSystem()
const store = await createStore({ game: 'minecraft_offline' })
const { shop, buy } = await openDelivery(store, shopper)
const monthly = { allow_subscription: true, subscription_interval_value: 1, subscription_interval_scale: 'month' }

/** A customer whom the store has verified. */
async function aCustomer() {
  const { id } = await shop.customer({ steam_id: fresh.steamId() })
  const { body } = await store.post<{ token: string }>(`/customers/${id}/tokens`)
  return { id, read: reader(store, body.token) }
}

function reader(own: TestStore, token: string) {
  return <Body = unknown>(method: string, path: string) => own.shop<Body>(method, `/store/customer${path}`, { token })
}

interface OwnRecord {
  id: string
  subscription_id?: string | null
}

describe('a verified customer', () => {
  it('reads their own orders and subscriptions, and cancels a subscription', async () => {
    const product = await shop.product({ ...monthly, metadata: { secret: 'secret-metadata' } })
    const [customer, other] = [await aCustomer(), await aCustomer()]
    const lines = [{ product_id: product.id, quantity: 1, subscription: true, metadata: { secret: 'secret-note' } }]
    const order = await buy({ customer_id: customer.id, lines, metadata: { secret: 'secret-order' } })

    const orders = await customer.read<OwnRecord[]>('GET', '/orders')
    expect(orders.status, orders.text).toBe(200)
    expect(orders.body).toMatchObject([{ id: order.id, status: 'paid', lines: [{ product_id: product.id }] }])
    expect((await customer.read('GET', `/orders/${order.id}`)).body).toEqual(orders.body[0])
    const subscriptionId = String(order.subscription_id)
    const path = `/subscriptions/${subscriptionId}`
    const subscriptions = await customer.read<OwnRecord[]>('GET', '/subscriptions')
    expect(subscriptions.body).toMatchObject([{ id: subscriptionId, status: 'active', cancel_at_period_end: false }])
    for (const { text } of [orders, subscriptions])
      expect(text).not.toMatch(/secret|"customer_id"|billing_email|tax_evidence/)

    expect((await other.read<OwnRecord[]>('GET', '/orders')).body).toEqual([])
    for (const [method, foreign] of [
      ['GET', `/orders/${order.id}`],
      ['GET', path],
      ['DELETE', path],
    ] as const) {
      expectFault(await other.read(method, foreign), 'not-found')
    }
    for (let times = 0; times < 2; times += 1) expect((await customer.read('DELETE', path)).status).toBe(204)
    expect((await customer.read('GET', path)).body).toMatchObject({ status: 'active', cancel_at_period_end: true })
  })
})

describe('a customer who typed a name', () => {
  it('reads no orders and no subscriptions', async () => {
    const json = { platform: 'minecraft', id: fresh.name() }
    const { body } = await store.shop<{ customer_token: string }>('POST', '/store/customer/auth', { json })
    const read = reader(store, body.customer_token)
    for (const path of ['/orders', '/subscriptions']) expectFault(await read('GET', path), 'forbidden')
  })
})
