import type { Clock } from '@storekeep/common/clock'
import { type Call, type Client, onBehalfOf } from '@storekeep/common/grpc'
import type { StoresService } from '@storekeep/proto/stores/v1/stores_service'

/** The currencies of stores, cached for a few seconds. */
export function createStoreCurrencies(
  stores: Pick<Client<typeof StoresService>, 'getStore'>,
  { monotonicMs }: Pick<Clock, 'monotonicMs'>,
): StoreCurrencies {
  const known = new Map<string, { currency: string; until: number }>()

  return {
    async get(storeId, call) {
      const now = monotonicMs()
      const entry = known.get(storeId)
      if (entry && entry.until > now) return entry.currency
      const { store } = await stores.getStore({}, { ...onBehalfOf(call), storeId })
      if (!store?.currency) throw new Error(`store ${storeId} has no currency`)
      if (known.size >= maxKnown) known.clear()
      known.set(storeId, { currency: store.currency, until: now + keptMs })
      return store.currency
    },
  }
}

export interface StoreCurrencies {
  /** @throws ServiceFault `not-found` for an unknown store, `service-unavailable` if it cannot be loaded */
  get(storeId: string, call: Call): Promise<string>
}

const keptMs = 5000
const maxKnown = 10_000
