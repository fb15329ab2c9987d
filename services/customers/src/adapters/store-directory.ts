import type { Clock } from '@storekeep/common/clock'
import type { Call, Client } from '@storekeep/common/grpc'
import { onBehalfOf } from '@storekeep/common/grpc'
import { Game } from '@storekeep/proto/stores/v1/store'
import type { StoresService } from '@storekeep/proto/stores/v1/stores_service'
import type { SignInStore } from '../customers/domain/sign-in.ts'

/** Looks up stores in the stores service and caches them for 5 s. Unknown stores are not cached. */
export function createStoreDirectory(
  stores: Pick<Client<typeof StoresService>, 'getStore'>,
  { monotonicMs }: Pick<Clock, 'monotonicMs'>,
): StoreDirectory {
  const cache = new Map<string, { store: SignInStore; until: number }>()

  return {
    async get(storeId, call) {
      const now = monotonicMs()
      const entry = cache.get(storeId)
      if (entry && entry.until > now) return entry.store
      const { store } = await stores.getStore({}, { ...onBehalfOf(call), storeId })
      const found = { game: store && signInGameFromProto(store.game), bedrockPrefix: store?.bedrockPrefix || '.' }
      if (cache.size >= maxEntries) cache.clear()
      cache.set(storeId, { store: found, until: now + cacheMs })
      return found
    },
  }
}

export interface StoreDirectory {
  /** @throws ServiceFault `not-found` for an unknown store, `service-unavailable` when the stores service is unreachable */
  get(storeId: string, call: Call): Promise<SignInStore>
}

const cacheMs = 5000
const maxEntries = 10_000

/** @returns undefined for games without the direct flow, including future ones */
function signInGameFromProto(game: Game): SignInStore['game'] {
  switch (game) {
    case Game.MINECRAFT:
      return 'minecraft'
    case Game.MINECRAFT_OFFLINE:
      return 'minecraft_offline'
    case Game.MINECRAFT_GEYSER:
      return 'minecraft_geyser'
    default:
      return undefined
  }
}
