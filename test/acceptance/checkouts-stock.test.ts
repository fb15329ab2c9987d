import {
  expectFault,
  fresh,
  openDelivery,
  openShop,
  type ProductBody,
  type ServiceErrorBody,
  useSharedSystem,
  waitFor,
} from '@storekeep/test/kit'
import { describe, expect, it } from 'vitest'

const { createStore, shopper } = await useSharedSystem()
const store = await createStore()
const shop = openShop(store)
const limitOf = (quantity: number) => ({ enabled: true, quantity })

const buy = (customer_id: string, product_id: string, line: object = {}) =>
  shop.order({ customer_id, lines: [{ quantity: 1, product_id, ...line }] })

/** Buys one unit, and retries while the machine is too busy. */
async function buySurely(customer_id: string, product_id: string) {
  const headers = { 'idempotency-key': fresh.idempotencyKey() }
  const order = () => shop.order({ customer_id, lines: [{ quantity: 1, product_id }] }, { headers })
  for (;;) {
    const response = await order()
    if (response.status !== 503 && response.status !== 409) return response
  }
}

async function available(productId: string, customerId?: string) {
  const query = customerId === undefined ? '' : `?customer_id=${customerId}`
  const { body } = await store.get<ProductBody>(`/products/${productId}${query}`)
  return [body.stock_available?.store_available, body.stock_available?.customer_available]
}

const codesOf = ({ body }: { body: unknown }) => (body as ServiceErrorBody).errors?.map(({ code }) => code)

describe('the stock of a product', () => {
  it('of 10 units is sold to exactly 10 of 64 concurrent buyers', async () => {
    const product = await shop.product({ store_stock_limit: limitOf(10) })
    const customers = await Promise.all(Array.from({ length: 64 }, () => shop.customer()))
    const responses = await Promise.all(customers.map(({ id }) => buySurely(id, product.id)))
    const rejected = responses.filter(({ status }) => status !== 200)
    expect(responses).toHaveLength(rejected.length + 10)
    for (const response of rejected) {
      expectFault(response, 'validation-failed', ['lines.0.product_id reference'])
      expect(codesOf(response)).toEqual(['product-out-of-stock'])
    }
    expect(await available(product.id)).toEqual([0, null])
  })

  it('is limited per customer, and shown for the given customer', async () => {
    const product = await shop.product({ customer_stock_limit: limitOf(2), store_stock_limit: limitOf(3) })
    const [one, other] = [await shop.customer(), await shop.customer()]
    expect((await buy(one.id, product.id, { quantity: 2 })).status).toBe(200)
    expect(codesOf(await buy(one.id, product.id))).toEqual(['product-customer-limit'])
    expect(await available(product.id)).toEqual([1, null])
    expect(await available(product.id, one.id)).toEqual([1, 0])
    expect(await available(product.id, other.id)).toEqual([1, 2])
    expect(codesOf(await buy(other.id, product.id, { quantity: 2 }))).toEqual(['product-out-of-stock'])
    const { body } = await store.get<ProductBody[]>(`/products?limit=1&customer_id=${other.id}`)
    expect(body[0]?.stock_available).toEqual({ store_available: 1, customer_available: 2 })
  })

  it('can be raised and cleared', async () => {
    const product = await shop.product({ store_stock_limit: limitOf(1) })
    const { id } = await shop.customer()
    await buy(id, product.id)
    const path = `/products/${product.id}`
    const { body } = await store.patch<ProductBody>(path, { store_stock_limit: limitOf(3) })
    expect(body.stock_available).toEqual({ store_available: 2, customer_available: null })
    expect((await buy(id, product.id, { quantity: 2 })).status).toBe(200)
    await store.patch(path, { store_stock_limit: null })
    expect((await buy(id, product.id, { quantity: 2 })).status).toBe(200)
  })

  it('counts a unit until its item is revoked, if it does not include removed ones', async () => {
    const own = await createStore()
    const { shop: sales, buy: pay, settledItems } = await openDelivery(own, shopper)
    const { id } = await sales.product({ store_stock_limit: limitOf(1), stock_limit_do_not_include_removed: true })
    const { id: customer_id } = await sales.customer()
    const stock = async () => (await own.get<ProductBody>(`/products/${id}`)).body.stock_available?.store_available
    const order = await pay({ customer_id, lines: [{ product_id: id, quantity: 1 }] })
    const [item] = await settledItems(order.id, (found) => found.length === 1)
    expect(await stock()).toBe(0)
    expect((await own.delete(`/customers/${customer_id}/delivery/items/${item?.id}`)).status).toBe(204)
    await waitFor('the unit to return', async () => (await stock()) === 1)
  })

  it('cannot be limited for an inline product, which has no stock', async () => {
    const { id } = await shop.customer()
    const inline_product = { name: 'x', price: 5, store_stock_limit: limitOf(5) }
    expectFault(await shop.order({ customer_id: id, lines: [{ quantity: 1, inline_product }] }), 'validation-failed', [
      'lines.0.inline_product.store_stock_limit.enabled exclusive',
    ])
  })
})
