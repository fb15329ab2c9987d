import { expectFault, openShop, type ServiceErrorBody, useSharedSystem } from '@storekeep/test/kit'
import { describe, expect, it } from 'vitest'

const { createStore } = await useSharedSystem()
const store = await createStore()
const shop = openShop(store)

const buy = (customer_id: string, product_id: string, line: object = {}) =>
  shop.order({ customer_id, lines: [{ quantity: 1, product_id, ...line }] })

/** Creates a session. @returns the item codes of a rejection */
async function codesOf(response: ReturnType<typeof buy>): Promise<string[]> {
  const rejected = await response
  if (rejected.status === 200) return []
  expectFault(rejected, 'validation-failed', ['lines.0.product_id reference'])
  return ((await response).body as unknown as ServiceErrorBody).errors?.map(({ code }) => code) ?? []
}

/** Hands the product out. @returns the id of the item */
async function grant(customerId: string, productId: string): Promise<string> {
  const path = `/customers/${customerId}/delivery/items`
  const { status, body, text } = await store.post<{ id: string }[]>(path, { product_id: productId })
  expect(status, text).toBe(200)
  return body[0]?.id ?? ''
}

describe('a product that requires others', () => {
  it('is sold to customers who own one of them, until their item is revoked', async () => {
    const [one, other] = [await shop.product(), await shop.product()]
    const product = await shop.product({ required_product_ids: [one.id, other.id] })
    const customer = await shop.customer()
    expect(await codesOf(buy(customer.id, product.id))).toEqual(['required-product-missing'])
    const itemId = await grant(customer.id, other.id)
    expect(await codesOf(buy(customer.id, product.id))).toEqual([])
    expect((await store.delete(`/customers/${customer.id}/delivery/items/${itemId}`)).status).toBe(204)
    expect(await codesOf(buy(customer.id, product.id))).toEqual(['required-product-missing'])
  })

  it('is sold only to owners of all of them, if it requires all', async () => {
    const [one, other] = [await shop.product(), await shop.product()]
    const product = await shop.product({ required_product_ids: [one.id, other.id], required_product_all: true })
    const customer = await shop.customer()
    await grant(customer.id, one.id)
    expect(await codesOf(buy(customer.id, product.id))).toEqual(['required-product-missing'])
    await grant(customer.id, other.id)
    expect(await codesOf(buy(customer.id, product.id))).toEqual([])
  })
})

describe('a product without concurrent items', () => {
  it('is not sold to its owner, and can be given to others', async () => {
    const product = await shop.product({ allow_concurrent_active_items: false })
    const [owner, friend] = [await shop.customer(), await shop.customer()]
    expect(await codesOf(buy(owner.id, product.id))).toEqual([])
    await grant(owner.id, product.id)
    expect(await codesOf(buy(owner.id, product.id))).toEqual(['product-already-owned'])
    expect(await codesOf(buy(owner.id, product.id, { gift_to_customer_id: friend.id }))).toEqual([])
    expect(await codesOf(buy(friend.id, product.id, { gift_to_customer_id: owner.id }))).toEqual([
      'product-already-owned',
    ])
  })

  it('is sold once per order', async () => {
    const product = await shop.product({ allow_concurrent_active_items: false })
    const { id } = await shop.customer()
    expect(await codesOf(buy(id, product.id, { quantity: 2 }))).toEqual(['product-already-owned'])
  })
})
