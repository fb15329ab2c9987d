import { isFault } from '@storekeep/common/errors'
import type { CallOptions } from '@storekeep/common/grpc'
import { BoundedMap, type FailureThrottle } from '@storekeep/common/http'
import type { Store } from '@storekeep/proto/stores/v1/store'
import type { Clients } from './services.ts'

/** Caches the public records of stores for five seconds. Anyone may look up any id, so unknown ones are throttled. */
export function createStoreCache({ stores, unknownStores, monotonicMs }: StoreCacheOptions): StoreCache {
  const cached = new BoundedMap<string, { store: Store; until: number }>(10_000)

  return {
    async get(storeId, address, options) {
      const known = cached.get(storeId)
      if (known && known.until > monotonicMs()) return known.store
      const startedAt = monotonicMs()
      unknownStores.assertAllowed(address, storeId)
      const { store } = await stores.getStore({}, { ...options, storeId }).catch((error: unknown) => {
        if (isFault(error, 'not-found')) unknownStores.recordFailure(address, storeId)
        throw error
      })
      unknownStores.recordSuccess(storeId)
      if (!store) throw new Error('GetStore returned no store')
      cached.set(storeId, { store, until: startedAt + cacheMs })
      return store
    },
  }
}

export interface StoreCache {
  /**
   * @param address of the caller
   * @throws ServiceFault `not-found`, `too-many-requests` when the address looked up too many unknown ids, or
   * `service-unavailable` when the stores service is unreachable
   */
  get(storeId: string, address: string, options: CallOptions): Promise<Store>
}

interface StoreCacheOptions {
  stores: Pick<Clients['stores'], 'getStore'>
  unknownStores: FailureThrottle
  monotonicMs: () => number
}

const cacheMs = 5000
