import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { isFault } from '@storekeep/common/errors'
import { createClient, createGrpcTransport } from '@storekeep/common/grpc'
import type { ProcessIdentity } from '@storekeep/common/identity'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import { StoresService } from '@storekeep/proto/stores/v1/stores_service'
import { nameInCell } from './cells.ts'
import type { DemoStore } from './demo-request.ts'
import { demoStores, detailPaths, detailsOf } from './demo-stores.ts'
import { writePrivateFile } from './private-file.ts'
import { createGameServer, seedCatalog } from './seed-catalog.ts'

/**
 * Creates a demo store for each platform, with an API key and a catalog. Later starts keep the stores and keys,
 * create missing ones again, and leave the details and catalogs alone.
 */
export async function seedDemo({
  storesAddress,
  identity,
  baseUrl,
  file,
  siteUrl,
  cell = 0,
}: SeedOptions): Promise<DemoStore[]> {
  const transport = createGrpcTransport({ to: 'stores', address: storesAddress, identity })
  const client = createClient(StoresService, transport)
  try {
    const known = readDemo(file)
    const { stores } = await client.listStores({}, callOptions())
    const demo: DemoStore[] = []
    for (const terms of demoStores) {
      const name = cell === 0 ? terms.name : `${terms.name} in cell ${cell}`
      const { game, label, currency } = terms
      const slug = nameInCell(cell, terms.slug)
      const found = stores.find((store) => store.slug === slug)
      const store = found ?? (await client.createStore({ slug, name, game, currency }, callOptions())).store
      if (store === undefined) throw new Error(`CreateStore returned no store for ${slug}`)
      const before = known.find(({ id }) => id === store.id)
      const api_key = await usableKey(store.id, before?.api_key)
      const is_filled = before?.is_filled === true
      const token = before?.game_server_token
      if (before?.is_filled !== true) {
        const change = { store: detailsOf(terms, siteUrl), updateMask: { paths: detailPaths } }
        await client.updateStore(change, { ...callOptions(), storeId: store.id })
      }
      demo.push({ id: store.id, slug: store.slug, game: label, api_key, game_server_token: token, is_filled })
    }
    const keep = () => writePrivateFile(file, { base_url: baseUrl, stores: demo })
    keep()
    for (const store of demo.filter(({ is_filled }) => !is_filled)) {
      await seedCatalog(store, baseUrl, siteUrl)
      store.game_server_token ??= await createGameServer(store, baseUrl)
      store.is_filled = true
      keep()
    }
    return demo
  } finally {
    transport.close()
  }

  async function usableKey(storeId: string, known: string | undefined): Promise<string> {
    if (known !== undefined && (await isUsable(storeId, known))) return known
    // The text of a lost key cannot be recovered, so a new key replaces it.
    const { apiKeys } = await client.listApiKeys({ storeId }, callOptions())
    for (const key of apiKeys) {
      if (key.name === keyName && key.revokedAt === undefined)
        await client.revokeApiKey({ apiKeyId: key.id }, callOptions())
    }
    return (await client.createApiKey({ storeId, name: keyName }, callOptions())).key
  }

  async function isUsable(storeId: string, key: string): Promise<boolean> {
    try {
      return (await client.verifyApiKey({ key }, callOptions())).storeId === storeId
    } catch (cause) {
      if (isFault(cause, 'unauthorized')) return false
      throw cause
    }
  }
}

export function readDemo(file: string): DemoStore[] {
  if (!existsSync(file)) return []
  try {
    return JSON.parse(readFileSync(file, 'utf8')).stores ?? []
  } catch {
    return []
  }
}

function callOptions() {
  const trace = randomUUID().replaceAll('-', '')
  return {
    actor: { type: ActorType.ADMIN },
    requestId: trace,
    traceparent: `00-${trace}-${trace.slice(0, 16)}-00`,
    deadlineMs: 10_000,
  }
}

const keyName = 'demo'

interface SeedOptions {
  storesAddress: string
  /** The admin CLI's identity. */
  identity: ProcessIdentity
  baseUrl: string
  file: string
  /** The address of the demo site; undefined where it does not run. */
  siteUrl?: string | undefined
  /** Default: 0. */
  cell?: number
}
