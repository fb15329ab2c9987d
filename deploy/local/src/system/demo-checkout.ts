import type { DemoStore } from './seed-catalogue.ts'

/**
 * Creates a checkout session in a demo store, as the store's server would.
 * @returns the address of its checkout page; undefined if its products or customers were deleted
 */
export async function createDemoCheckout({ id, api_key }: DemoStore, baseUrl: string): Promise<string | undefined> {
  const product = (await list('products?limit=100&asc=true')).find(({ slug }) => slug === 'starter-kit')
  const [customer] = await list('customers?limit=1&asc=true')
  if (product === undefined || customer === undefined) return undefined
  const body = { customer_id: customer.id, lines: [{ product_id: product.id, quantity: 1, custom_variables: answers }] }
  const response = await request('checkouts', { method: 'POST', body: JSON.stringify(body) })
  return response.ok ? ((await response.json()) as { url: string }).url : undefined

  async function list(path: string): Promise<{ id: string; slug?: string }[]> {
    const response = await request(path, {})
    return response.ok ? ((await response.json()) as { id: string; slug?: string }[]) : []
  }

  function request(path: string, init: RequestInit): Promise<Response> {
    return fetch(`${baseUrl}/v1/stores/${id}/${path}`, {
      ...init,
      headers: { authorization: `APIKey ${api_key}`, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(10_000),
    })
  }
}

/** To the question of the demo products. */
const answers = { server: 'eu-main' }
