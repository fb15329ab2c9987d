import type { Call, Client } from '@storekeep/common/grpc'
import { onBehalfOf } from '@storekeep/common/grpc'
import type { Clock } from '@storekeep/common/service'
import type { StoresService } from '@storekeep/proto/stores/v1/stores_service'
import type { SignInStore } from '../domain/sign-in.ts'
import { signInGameFromProto } from '../mappers.ts'

/**
 * What this service needs to know of stores, asked of their owner and kept for a few seconds. That a store is
 * unknown is never kept: it may be made the next moment.
 */
export function createStoreDirectory(
  stores: Pick<Client<typeof StoresService>, 'getStore'>,
  clock: Clock,
): StoreDirectory {
  const known = new Map<string, { store: SignInStore; until: number }>()

  return {
    async get(storeId, call) {
      const now = clock.now().getTime()
      const entry = known.get(storeId)
      if (entry && entry.until > now) return entry.store
      const { store } = await stores.getStore({}, { ...onBehalfOf(call), storeId })
      const found = { game: store && signInGameFromProto(store.game), bedrockPrefix: store?.bedrockPrefix || '.' }
      if (known.size >= maxKnown) known.clear()
      known.set(storeId, { store: found, until: now + keptMs })
      return found
    },
  }
}

export interface StoreDirectory {
  /** @throws ServiceFault `not-found` for an unknown store, `service-unavailable` when its owner is away */
  get(storeId: string, call: Call): Promise<SignInStore>
}

const keptMs = 5000
const maxKnown = 10_000
