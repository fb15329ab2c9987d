import type { CallOptions } from '@storekeep/common/grpc'
import type { Store } from '@storekeep/proto/stores/v1/store'
import { BoundedMap } from './bounded-map.ts'
import type { Clients } from './services.ts'

/** Caches the public records of stores for five seconds. */
export function createStoreCache({ stores, monotonicMs }: StoreCacheOptions): StoreCache {
  const cached = new BoundedMap<string, { store: Store; until: number }>(10_000)

  return {
    async get(storeId, options) {
      const known = cached.get(storeId)
      if (known && known.until > monotonicMs()) return known.store
      const startedAt = monotonicMs()
      const { store } = await stores.getStore({}, { ...options, storeId })
      if (!store) throw new Error('GetStore returned no store')
      cached.set(storeId, { store, until: startedAt + cacheMs })
      return store
    },
  }
}

export interface StoreCache {
  /** @throws ServiceFault `not-found`, or `service-unavailable` when the stores service is unreachable */
  get(storeId: string, options: CallOptions): Promise<Store>
}

interface StoreCacheOptions {
  stores: Pick<Clients['stores'], 'getStore'>
  monotonicMs: () => number
}

const cacheMs = 5000
