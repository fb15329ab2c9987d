import { type Body, demoCatalogs } from './demo-catalog.ts'
import { type DemoStore, requesterOf } from './demo-request.ts'

/**
 * Fills a demo store through the gateway, as the store's server would. Keeps existing records, so a start that was
 * killed halfway is completed by the next one.
 */
export async function seedCatalog(store: DemoStore, baseUrl: string): Promise<void> {
  const catalog = demoCatalogs[store.slug]
  if (!catalog) return
  const request = requesterOf(store, baseUrl)

  await createAll('customers', catalog.customers)
  const variables = await createAll('custom-variables', catalog.variables)
  const products = await createAll('products', withIds(catalog.products, 'custom_variable_ids', variables))
  await createAll('coupons', withIds(catalog.coupons, 'apply_to_products', products))
  await createAll('affiliate-links', catalog.affiliateLinks)
  await createAll('bans', catalog.bans)

  /** @returns the ids of the new records, by their keys in the catalog */
  async function createAll(path: string, records: Readonly<Record<string, Body>>): Promise<Map<string, string>> {
    const ids = new Map<string, string>()
    for (const [key, body] of Object.entries(records)) {
      // A retry, or a second start, gets the same record while the key is stored.
      const response = await request(path, { key: `demo-${path}-${key}`, body })
      const record = (await response.json()) as { id: string }
      if (response.ok) ids.set(key, record.id)
      else if (response.status !== 409) throw new Error(`${path} ${key}: ${JSON.stringify(record)}`)
    }
    return ids
  }
}

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
