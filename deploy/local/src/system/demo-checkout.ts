import { randomUUID } from 'node:crypto'
import { type DemoStore, requesterOf } from './demo-request.ts'

/**
 * Creates a checkout session in a demo store, as the store's server would.
 * @returns the address of its checkout page; undefined if its products or customers were deleted
 */
export async function createDemoCheckout(store: DemoStore, baseUrl: string): Promise<string | undefined> {
  const request = requesterOf(store, baseUrl)
  const product = (await list('products?limit=100&asc=true')).find(({ slug }) => slug === 'starter-kit')
  const [customer] = await list('customers?limit=1&asc=true')
  if (product === undefined || customer === undefined) return undefined
  const body = { customer_id: customer.id, lines: [{ product_id: product.id, quantity: 1, custom_variables: answers }] }
  const response = await request('checkouts', { key: randomUUID(), body })
  return response.ok ? ((await response.json()) as { url: string }).url : undefined

  async function list(path: string): Promise<{ id: string; slug?: string }[]> {
    const response = await request(path)
    return response.ok ? ((await response.json()) as { id: string; slug?: string }[]) : []
  }
}

/** Answers to the question that the demo products ask. */
const answers = { size: 'small' }
