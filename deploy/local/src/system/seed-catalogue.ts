import { setTimeout as pause } from 'node:timers/promises'
import { type Body, demoCatalogues } from './demo-catalogue.ts'

/**
 * Fills a demo store through the gateway, as the store's server would. Keeps existing records, so a start that was
 * killed halfway is completed by the next one.
 */
export async function seedCatalogue({ slug, id: storeId, api_key }: DemoStore, baseUrl: string): Promise<void> {
  const catalogue = demoCatalogues[slug]
  if (!catalogue) return

  await createAll('customers', catalogue.customers)
  const variables = await createAll('custom-variables', catalogue.variables)
  const products = await createAll('products', withIds(catalogue.products, 'custom_variable_ids', variables))
  await createAll('coupons', withIds(catalogue.coupons, 'apply_to_products', products))
  await createAll('affiliate-links', catalogue.affiliateLinks)
  await createAll('bans', catalogue.bans)

  /** @returns the ids of the new records, by their keys in the catalogue */
  async function createAll(path: string, records: Readonly<Record<string, Body>>): Promise<Map<string, string>> {
    const ids = new Map<string, string>()
    for (const [key, body] of Object.entries(records)) {
      const response = await untilAvailable(() =>
        fetch(`${baseUrl}/v1/stores/${storeId}/${path}`, {
          method: 'POST',
          headers: {
            authorization: `APIKey ${api_key}`,
            'content-type': 'application/json',
            // A retry, or a second start, gets the same record while the key is stored.
            'idempotency-key': `demo-${path}-${key}`,
          },
          body: JSON.stringify(body),
          signal: AbortSignal.timeout(10_000),
        }),
      )
      const record = (await response.json()) as { id: string }
      if (response.ok) ids.set(key, record.id)
      else if (response.status !== 409) throw new Error(`${path} ${key}: ${JSON.stringify(record)}`)
    }
    return ids
  }
}

/** Repeats a request that gets 503, as the gateway asks for: it may not have reached a service that has just started. */
async function untilAvailable(send: () => Promise<Response>): Promise<Response> {
  for (let attempts = 1; ; attempts += 1) {
    const response = await send()
    if (response.status !== 503 || attempts === maxAttempts) return response
    await pause(1000 * Number(response.headers.get('retry-after') ?? 1))
  }
}

const maxAttempts = 20

/** Replaces the keys in the array `field` of each record by ids; drops keys without an id. */
function withIds(
  records: Readonly<Record<string, Body>>,
  field: string,
  ids: ReadonlyMap<string, string>,
): Record<string, Body> {
  const replace = (body: Body): Body => {
    const keys = body[field]
    return Array.isArray(keys) ? { ...body, [field]: keys.flatMap((key) => ids.get(key) ?? []) } : body
  }
  return Object.fromEntries(Object.entries(records).map(([key, body]) => [key, replace(body)]))
}

export interface DemoStore {
  id: string
  slug: string
  game: string
  api_key: string
  /** Whether the catalogue has been created; it is not created again after changes. */
  is_filled: boolean
}
