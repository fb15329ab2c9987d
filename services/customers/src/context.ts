import { createClient, createGrpcTransport, type Handlers } from '@storekeep/common/grpc'
import { createRedis, exportRedisState } from '@storekeep/common/redis'
import type { Runtime } from '@storekeep/common/service'
import type { Metrics } from '@storekeep/common/telemetry'
import { tokenCheckOutcomes } from '@storekeep/proto/conventions/customer-token'
import type { CustomersService } from '@storekeep/proto/customers/v1/customers_service'
import { StoresService } from '@storekeep/proto/stores/v1/stores_service'
import { createMinimumEpochs, type MinimumEpochs } from './adapters/minimum-epochs.ts'
import { createProfileProvider } from './adapters/profiles/create-profile-provider.ts'
import type { ProfileProvider } from './adapters/profiles/profile-provider.ts'
import { createSteamOpenId, type SteamOpenId } from './adapters/steam-openid.ts'
import { createStoreDirectory, type StoreDirectory } from './adapters/store-directory.ts'
import type { CustomersConfig } from './config.ts'
import { createTokenCodec, type TokenCodec } from './tokens/steps/customer-token.ts'

/** The dependencies of the handlers. */
export interface AppContext extends Runtime {
  stores: StoreDirectory
  profiles: ProfileProvider
  steamOpenId: SteamOpenId
  tokens: TokenCodec
  tokenChecks: ReturnType<Metrics['counter']>
  minimumEpochs: MinimumEpochs
  /** Without a trailing slash. */
  portalBaseUrl: string
  /** Closes the connections to other services and to Redis. */
  closeClients(): Promise<void>
}

/** The handlers of this service, one per rpc. */
export type CustomersHandlers = Handlers<typeof CustomersService>

export function createContext(runtime: Runtime, config: CustomersConfig): AppContext {
  const toStores = createGrpcTransport({ ...runtime, to: 'stores', address: config.stores.address })
  const redis = createRedis({ ...config.redis, log: runtime.log })
  exportRedisState(runtime.metrics, redis)
  return {
    ...runtime,
    portalBaseUrl: config.portal.baseUrl.replace(/\/+$/, ''),
    stores: createStoreDirectory(createClient(StoresService, toStores), runtime.clock),
    profiles: createProfileProvider(config.profiles, runtime),
    steamOpenId: createSteamOpenId(config.steamSignIn, runtime.clock),
    tokens: createTokenCodec(config.tokens.keys, runtime),
    tokenChecks: runtime.metrics.counter('token_checks_total', 'Customer token checks, by outcome.', ['outcome'], {
      outcome: tokenCheckOutcomes,
    }),
    minimumEpochs: createMinimumEpochs({ ...runtime, redis }),
    closeClients() {
      toStores.close()
      return redis.close()
    },
  }
}
