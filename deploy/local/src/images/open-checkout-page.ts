import assert from 'node:assert/strict'
import { type FlowOptions, send } from './sign-in-flow.ts'

/** Opens the page of a new checkout session in a running system. @throws when it does not show the product */
export async function openCheckoutPage({ baseUrl, storeId, key }: FlowOptions): Promise<void> {
  const asStore = { authorization: `APIKey ${key}` }
  const create = (path: string, body: object) =>
    send('POST', `${baseUrl}/v1/stores/${storeId}/${path}`, asStore, 200, body)
  const product = await create('products', { name: 'Starter kit', price: 500 })
  const customer = await create('customers', { name: 'Kim' })
  const lines = [{ product_id: product.id, quantity: 1 }]
  const { url = '' } = await create('checkouts', { customer_id: customer.id, lines })
  const page = await fetch(url, { signal: AbortSignal.timeout(15_000) })
  assert.equal(page.status, 200, `The checkout page returned ${page.status}.`)
  assert.match(await page.text(), /Starter kit/, 'The checkout page shows the product.')
}
