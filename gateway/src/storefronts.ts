import type { CallOptions } from '@storekeep/common/grpc'
import type { Store } from '@storekeep/proto/stores/v1/store'
import { BoundedMap } from './bounded-map.ts'
import type { Clients } from './services.ts'

/** The stores as the storefront shows them to anybody; each is remembered for some seconds. */
export function createStorefronts({ stores, now }: StorefrontOptions): Storefronts {
  const remembered = new BoundedMap<string, { store: Store; until: number }>(10_000)

  return {
    async get(storeId, options) {
      const known = remembered.get(storeId)
      if (known && known.until > now()) return known.store
      const startedAt = now()
      const { store } = await stores.getStore({}, { ...options, storeId })
      if (!store) throw new Error('A service answered without the store.')
      remembered.set(storeId, { store, until: startedAt + rememberMs })
      return store
    },
  }
}

export interface Storefronts {
  /** @throws ServiceFault `not-found`, or `service-unavailable` when it cannot be told */
  get(storeId: string, options: CallOptions): Promise<Store>
}

interface StorefrontOptions {
  stores: Pick<Clients['stores'], 'getStore'>
  now: () => number
}

const rememberMs = 5000
