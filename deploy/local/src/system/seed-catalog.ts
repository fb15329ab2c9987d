import { randomUUID } from 'node:crypto'
import { type Body, demoCatalogs } from './demo-catalog.ts'
import { type DemoStore, requesterOf } from './demo-request.ts'
import { imageUrl } from './demo-stores.ts'

/**
 * Fills a demo store through the gateway, as the store's server would. Keeps existing records, so a start that was
 * killed halfway is completed by the next one.
 */
export async function seedCatalog(store: DemoStore, baseUrl: string, siteUrl: string | undefined): Promise<void> {
  const catalog = demoCatalogs[store.slug]
  if (!catalog) return
  const request = requesterOf(store, baseUrl)

  await createAll('customers', catalog.customers)
  const variables = await createAll('custom-variables', catalog.variables)
  const tags = await createAll('tags', catalog.tags)
  const tagged = withIds(withImages(catalog.products, siteUrl), 'tags', tags)
  const products = await createAll('products', withIds(tagged, 'custom_variable_ids', variables))
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

/** Creates the demo game server of a store. @returns its token; undefined if the store has none */
export async function createGameServer(store: DemoStore, baseUrl: string): Promise<string | undefined> {
  const name = demoCatalogs[store.slug]?.gameServer
  if (name === undefined) return undefined
  const request = requesterOf(store, baseUrl)
  const servers = (await (await request('gameservers')).json()) as { id: string; name: string }[]
  const known = servers.find((server) => server.name === name)
  // The text of a lost token cannot be recovered, so a new one replaces it.
  const response = known
    ? await request(`gameservers/${known.id}/reset-token`, { key: randomUUID() })
    : await request('gameservers', { key: randomUUID(), body: { name, enabled: true } })
  const server = (await response.json()) as { token?: string }
  if (server.token === undefined) throw new Error(`game server ${name}: ${JSON.stringify(server)}`)
  return server.token
}

/** Replaces the names of images by their addresses; drops them where the demo site does not run. */
function withImages(records: Readonly<Record<string, Body>>, siteUrl: string | undefined): Record<string, Body> {
  const replace = ({ image, ...body }: Body): Body =>
    siteUrl !== undefined && typeof image === 'string' ? { ...body, image_url: imageUrl(siteUrl, image) } : body
  return Object.fromEntries(Object.entries(records).map(([key, body]) => [key, replace(body)]))
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
