import { type Body, demoCatalogues } from './demo-catalogue.ts'

/**
 * Fills a demo store through the gateway, as its own server would. What is there already stays as it is; a start that
 * was killed half way is gone on with.
 */
export async function seedCatalogue({ slug, id: storeId, api_key }: DemoStore, baseUrl: string): Promise<void> {
  const catalogue = demoCatalogues[slug]
  if (!catalogue) return

  await createAll('customers', catalogue.customers)
  const variables = await createAll('custom-variables', catalogue.variables)
  const products = await createAll('products', naming(catalogue.products, 'custom_variable_ids', variables))
  await createAll('coupons', naming(catalogue.coupons, 'apply_to_products', products))
  await createAll('affiliate-links', catalogue.affiliateLinks)
  await createAll('bans', catalogue.bans)

  /** @returns the ids of the new records, by their keys in the catalogue */
  async function createAll(path: string, records: Readonly<Record<string, Body>>): Promise<Map<string, string>> {
    const ids = new Map<string, string>()
    for (const [key, body] of Object.entries(records)) {
      const response = await fetch(`${baseUrl}/v1/stores/${storeId}/${path}`, {
        method: 'POST',
        headers: {
          authorization: `APIKey ${api_key}`,
          'content-type': 'application/json',
          // Answers the same record to a second start, for as long as keys are kept.
          'idempotency-key': `demo-${path}-${key}`,
        },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(10_000),
      })
      const answer = (await response.json()) as { id: string }
      if (response.ok) ids.set(key, answer.id)
      else if (response.status !== 409) throw new Error(`${path} ${key}: ${JSON.stringify(answer)}`)
    }
    return ids
  }
}

/** The records with ids in place of the keys under `member`; a record whose ids are not known comes without them. */
function naming(
  records: Readonly<Record<string, Body>>,
  member: string,
  ids: ReadonlyMap<string, string>,
): Record<string, Body> {
  const withIds = (body: Body): Body => {
    const keys = body[member]
    if (!Array.isArray(keys)) return body
    return { ...body, [member]: keys.flatMap((key) => ids.get(key) ?? []) }
  }
  return Object.fromEntries(Object.entries(records).map(([key, body]) => [key, withIds(body)]))
}

export interface DemoStore {
  id: string
  slug: string
  game: string
  api_key: string
  /** It has had its catalogue, whatever became of that since. */
  is_filled: boolean
}
