import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { createRelay, type Relay } from '@storekeep/common/events'
import { createClient, createGrpcTransport } from '@storekeep/common/grpc'
import { createLogger, type Logger } from '@storekeep/common/log'
import { createNats, type Nats } from '@storekeep/common/nats'
import { createDatabase, type Database } from '@storekeep/common/postgres'
import { createRedis, type Redis } from '@storekeep/common/redis'
import { createMetrics, type Metrics } from '@storekeep/common/telemetry'
import type { WriteDependencies } from '@storekeep/common/write'
import { StoresService } from '@storekeep/proto/stores/v1/stores_service'
import type { CustomersConfig } from './config.ts'
import { createProfileProvider } from './profiles/create-profile-provider.ts'
import type { ProfileProvider } from './profiles/profile-provider.ts'
import { createStoreDirectory, type StoreDirectory } from './stores/store-directory.ts'
import { createTokenCodec, type TokenCodec } from './tokens/customer-token.ts'
import { createMinimumEpochs, type MinimumEpochs } from './tokens/minimum-epochs.ts'

/** Everything a handler may use. Built here and nowhere else; handlers close over it. */
export interface AppContext extends WriteDependencies {
  log: Logger
  metrics: Metrics
  database: Database
  nats: Nats
  redis: Redis
  relay: Relay
  stores: StoreDirectory
  profiles: ProfileProvider
  tokens: TokenCodec
  tokenChecks: ReturnType<Metrics['counter']>
  minimumEpochs: MinimumEpochs
  /** Without a slash at its end. */
  portalBaseUrl: string
  clock: Clock
  randomBytes(size: number): Buffer
  /** Closes the connections to other services. */
  closeClients(): void
}

export function createContext(config: CustomersConfig, overrides: ContextOverrides = {}): AppContext {
  const log = overrides.log ?? createLogger({ service, level: config.log.level })
  const clock = overrides.clock ?? { now: () => new Date() }
  const metrics = createMetrics({ service, processMetrics: true })
  const database = createDatabase({ ...config.database, applicationName: service, log })
  const nats = createNats({ ...config.nats, name: service, log })
  const redis = createRedis({ ...config.redis, log })
  const storesTransport = createGrpcTransport({ address: config.stores.address })
  return {
    log,
    clock,
    metrics,
    database,
    nats,
    redis,
    randomBytes,
    secrets: config.secrets,
    portalBaseUrl: config.portal.baseUrl.replace(/\/+$/, ''),
    relay: createRelay({ database, nats, stream: config.events.stream, log, metrics }),
    stores: createStoreDirectory(createClient(StoresService, storesTransport), clock),
    profiles: createProfileProvider(config.profiles, { clock, log }),
    tokens: createTokenCodec(config.tokens.keys, { clock, randomBytes }),
    tokenChecks: metrics.counter('token_checks_total', 'Checks of customer tokens, by outcome.', ['outcome']),
    minimumEpochs: createMinimumEpochs({ redis, log }),
    closeClients: () => storesTransport.close(),
  }
}

export interface ContextOverrides {
  log?: Logger
  clock?: Clock
}

export interface Clock {
  now(): Date
}

/** Name of the service and of its schema. */
export const service = 'customers'
/** The service's part of every flake id. Never changed, never shared. */
export const nodeNumber = 2
export const migrations = fileURLToPath(new URL('db/migrations', import.meta.url))
