import {
  type CheckoutSessionBody,
  expectFault,
  openShop,
  type TestStore,
  unknownId,
  useSharedSystem,
} from '@storekeep/test/kit'
import { beforeAll, describe, expect, it } from 'vitest'
import { listByLinks, listIndexes } from './lists.ts'

const { createStore } = await useSharedSystem()

/** A store with a product and a customer, and an order of that product. */
async function openStore() {
  const store = await createStore()
  const shop = openShop(store)
  const [product, customer] = await Promise.all([shop.product(), shop.customer()])
  return { store, shop, order: { customer_id: customer.id, lines: [{ quantity: 1, product_id: product.id }] } }
}

describe('GET /checkouts/{checkoutId}', () => {
  it('returns the session as created, without its token', async () => {
    const { store, shop, order } = await openStore()
    const created = await shop.order(order)
    const { status, body, text } = await store.get<CheckoutSessionBody>(`/checkouts/${created.body.id}`)
    expect(status).toBe(200)
    expect(body).toMatchObject({ id: created.body.id, store_id: store.id, status: 'open', currency: 'eur' })
    expect(text).not.toContain(created.body.token)
    expect((await store.get<CheckoutSessionBody[]>('/checkouts')).body).toEqual([body])
  })
})

describe('GET /checkouts', () => {
  const five: CheckoutSessionBody[] = []
  let store: TestStore
  let friendId: string
  beforeAll(async () => {
    const opened = await openStore()
    store = opened.store
    friendId = (await opened.shop.customer()).id
    for (const customer_id of [friendId, undefined, friendId, undefined, undefined]) {
      five.push(await opened.shop.session({ ...opened.order, ...(customer_id && { customer_id }) }))
    }
    const other = await openStore()
    await other.shop.session(other.order)
  })

  it('returns the sessions of the store, newest first, or oldest first with asc=true', async () => {
    expect((await store.get('/checkouts')).body).toEqual(five.toReversed())
    expect((await store.get('/checkouts?asc=true')).body).toEqual(five)
    expect((await (await createStore()).get('/checkouts')).body).toEqual([])
  })

  it.each([
    ['after in ascending order', 'asc=true&limit=2&after=#1', [2, 3]],
    ['before in ascending order, nearest first', 'asc=true&limit=2&before=#4', [2, 3]],
    ['after in descending order', 'limit=2&after=#3', [2, 1]],
    ['before in descending order, nearest first', 'limit=2&before=#1', [3, 2]],
    ['sessions of a customer', 'customer_id=@', [2, 0]],
    ['sessions of a customer with pages', 'customer_id=@&limit=1&after=#2', [0]],
    ['no sessions for an unknown customer', `customer_id=${unknownId}`, []],
    ['all sessions for empty filters', 'status=&customer_id=', [4, 3, 2, 1, 0]],
    ['open ones', 'status=open', [4, 3, 2, 1, 0]],
    ['open sessions of a customer', 'status=open&customer_id=@', [2, 0]],
    ['completed ones', 'status=completed', []],
    ['canceled ones', 'status=canceled', []],
    ['expired ones', 'status=expired', []],
  ])('returns %s', async (_, query, expected) => {
    expect(await listIndexes(store, '/checkouts', five, query.replace('@', friendId))).toEqual(expected)
  })

  it('can be paged to the end by its Link headers, which keep the filter', async () => {
    expect(await listByLinks(store, '/checkouts', five, `customer_id=${friendId}&limit=1`)).toEqual([2, 0])
  })

  it.each([
    ['status', 'status=paid'],
    ['status', 'status=open&status=expired'],
    ['customer_id', 'customer_id=abc'],
    ['limit', 'limit=0'],
    ['after', 'after=abc'],
    ['coupon_id', 'coupon_id=5'],
  ])('rejects an invalid %s: %s', async (field, query) => {
    expectFault(await store.get(`/checkouts?${query}`), 'validation-failed', [field])
  })
})
