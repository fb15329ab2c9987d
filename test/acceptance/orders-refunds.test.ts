import {
  type CheckoutSessionBody,
  expectFault,
  openDelivery,
  openShop,
  unknownId,
  useSharedSystem,
} from '@storekeep/test/kit'
import { describe, expect, it } from 'vitest'

const { createStore, shopper } = await useSharedSystem()

interface OrderBody {
  id: string
  checkout_id: string
}

interface RefundBody {
  id: string
  order_id: string
  amount: number
  status: string
}

/** A store with a way to buy one unit of a product. */
async function openStore() {
  const store = await createStore()
  const { shop, buy } = await openDelivery(store, shopper)
  const product = await shop.product()
  return {
    store,
    async buyOne() {
      const customer = await shop.customer()
      return await buy({ customer_id: customer.id, lines: [{ product_id: product.id, quantity: 1 }] })
    },
  }
}

describe('refunds', () => {
  it('are listed for the store and for an order, by status and page by page', async () => {
    const { store, buyOne } = await openStore()
    const [one, other] = [await buyOne(), await buyOne()]
    const refund = async ({ id }: { id: string }, amount: number) =>
      (await store.post<RefundBody>(`/orders/${id}/refunds`, { amount })).body
    const [first, second, third] = [await refund(one, 100), await refund(other, 200), await refund(one, 300)]
    const list = async (path: string) => {
      const { status, body } = await store.get<RefundBody[]>(path)
      expect(status).toBe(200)
      return body
    }
    expect(await list('/refunds')).toEqual([third, second, first])
    expect(await list('/refunds?status=succeeded&limit=1')).toEqual([third])
    expect(await list('/refunds?status=pending')).toEqual([])
    expect(await list(`/refunds?order_id=${other.id}`)).toEqual([second])
    expect(await list(`/orders/${one.id}/refunds`)).toEqual([third, first])
    expect(await list(`/orders/${one.id}/refunds?asc=true&after=${first?.id}`)).toEqual([third])
    expectFault(await store.get(`/orders/${unknownId}/refunds`), 'not-found')
    expectFault(await store.get('/refunds?status=done'), 'validation-failed', ['status enum'])
  })

  it('are not listed for an order of another store', async () => {
    const [{ buyOne }, { store }] = [await openStore(), await openStore()]
    const { id } = await buyOne()
    expectFault(await store.get(`/orders/${id}/refunds`), 'not-found')
    expect((await store.get(`/refunds?order_id=${id}`)).body).toEqual([])
  })
})

describe('an order and its checkout session', () => {
  it('name each other', async () => {
    const { store, buyOne } = await openStore()
    const bought = await buyOne()
    const { body: order } = await store.get<OrderBody>(`/orders/${bought.id}`)
    const { body: session } = await store.get<CheckoutSessionBody>(`/checkouts/${order.checkout_id}`)
    expect(session).toMatchObject({ status: 'completed', order_id: order.id })
    expect((await store.get(`/orders?checkout_id=${session.id}`)).body).toEqual([order])
    await buyOne()
    expect((await store.get<OrderBody[]>(`/orders?checkout_id=${session.id}`)).body).toHaveLength(1)
  })
})

describe('POST /checkouts/{checkoutId}/cancel', () => {
  it('ends an open session, and changes nothing when it is repeated', async () => {
    const store = await createStore()
    const shop = openShop(store)
    const limit = { enabled: true, quantity: 1, time_value: null, time_scale: null, include_trials: false }
    const product = await shop.product({ store_stock_limit: limit })
    const customer = await shop.customer()
    const input = { customer_id: customer.id, lines: [{ product_id: product.id, quantity: 1 }] }
    const session = await shop.session(input)
    expect((await shop.order(input)).status, 'the only unit is reserved').toBe(400)
    const canceled = await store.post<CheckoutSessionBody>(`/checkouts/${session.id}/cancel`, {})
    expect(canceled.status).toBe(200)
    expect(canceled.body).toEqual({ ...session, status: 'canceled', canceled_at: expect.any(String) })
    expect((await store.post(`/checkouts/${session.id}/cancel`, {})).body).toEqual(canceled.body)
    expect((await shop.order(input)).status, 'the unit is available again').toBe(200)
  })

  it('is a conflict for a paid session, and finds no session of another store', async () => {
    const { store, buyOne } = await openStore()
    const { id } = await buyOne()
    const { body: order } = await store.get<OrderBody>(`/orders/${id}`)
    expectFault(await store.post(`/checkouts/${order.checkout_id}/cancel`, {}), 'conflict')
    const other = await createStore()
    expectFault(await other.post(`/checkouts/${order.checkout_id}/cancel`, {}), 'not-found')
  })
})
