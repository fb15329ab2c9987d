import { type RenderedBody, renderBody } from './http/rendered-body.ts'
import type { PageLinks } from './schemas/page.ts'

/**
 * Caches rendered responses of the catalog for five seconds, so that a request costs no call. Concurrent requests for the same
 * response share one load. Keeps at most `maxBytes`, and evicts the responses that were rendered longest ago.
 */
export function createCatalogCache({ maxBytes, monotonicMs }: CatalogCacheOptions): CatalogCache {
  const cached = new Map<string, Entry>()
  const loading = new Map<string, Promise<CachedReply>>()
  let bytes = 0

  function keep(key: string, entry: Entry): void {
    remove(key)
    cached.set(key, entry)
    bytes += entry.bytes
    for (const oldest of cached.keys()) {
      if (bytes <= maxBytes) break
      remove(oldest)
    }
  }

  function remove(key: string): void {
    bytes -= cached.get(key)?.bytes ?? 0
    cached.delete(key)
  }

  async function load(key: string, render: () => Promise<CatalogReply>): Promise<CachedReply> {
    const startedAt = monotonicMs()
    const { body, page } = await render()
    const rendered = renderBody(body)
    const reply = page ? { rendered, page } : { rendered }
    keep(key, { reply, bytes: rendered.bytes.length + key.length + overheadBytes, until: startedAt + cacheMs })
    return reply
  }

  return {
    async get(key, render) {
      const known = cached.get(key)
      if (known && known.until > monotonicMs()) return known.reply
      const shared = loading.get(key)
      // The other request may have failed for its own reasons, such as its deadline.
      if (shared) return await shared.catch(() => load(key, render))
      const own = load(key, render).finally(() => loading.delete(key))
      loading.set(key, own)
      return await own
    },
  }
}

export interface CatalogCache {
  /** @param render calls the services, unless the response is cached */
  get(key: string, render: () => Promise<CatalogReply>): Promise<CachedReply>
}

interface CatalogReply {
  body?: unknown
  page?: PageLinks
}

/** A reply whose body is rendered. */
export interface CachedReply {
  rendered: RenderedBody
  page?: PageLinks
}

interface Entry {
  reply: CachedReply
  bytes: number
  until: number
}

interface CatalogCacheOptions {
  maxBytes: number
  monotonicMs: () => number
}

const cacheMs = 5000
/** Of an entry besides its body and key, roughly. */
const overheadBytes = 500
