import { type Clock, systemClock } from '@storekeep/common/clock'
import type { CellState } from '@storekeep/common/grpc'
import {
  type BodyReader,
  createBodyReader,
  createFailureThrottle,
  createReturningPlayers,
  type FailureThrottle,
  type Lifecycle,
  type ReturningPlayers,
} from '@storekeep/common/http'
import { createIdentity } from '@storekeep/common/identity'
import { createLogger, type Logger } from '@storekeep/common/log'
import { createRedis, exportRedisState, type Redis } from '@storekeep/common/redis'
import { type ApiKeys, createApiKeys } from './auth/api-keys.ts'
import { createGameServerTokens, type GameServerTokens } from './auth/game-server-tokens.ts'
import { createTokenEpochs, type TokenEpochs } from './auth/token-epochs.ts'
import { type CatalogCache, createCatalogCache } from './catalog-cache.ts'
import type { GatewayConfig } from './config.ts'
import { createGameServerLimit, type GameServerLimit, type GameServerPolicy } from './limits/game-server-limit.ts'
import { createHeldPolls, type HeldPolls } from './limits/held-polls.ts'
import { createLimiter, type Limiter } from './limits/limiter.ts'
import { createGatewayMetrics, type GatewayMetrics } from './metrics.ts'
import { type Clients, connectServices } from './services.ts'
import { createStoreCache, type StoreCache } from './store-cache.ts'

/** The dependencies of the gateway. Handlers receive it as their first argument. */
export interface GatewayContext extends Clients {
  config: GatewayConfig
  log: Logger
  metrics: GatewayMetrics
  redis: Redis
  /** Whether each cell accepts calls from this gateway. */
  cellStates(): ReadonlyMap<number, CellState>
  apiKeys: ApiKeys
  gameServerTokens: GameServerTokens
  tokenEpochs: TokenEpochs
  limiter: Limiter
  bodies: BodyReader
  failedApiKeys: FailureThrottle
  failedTokens: FailureThrottle
  failedGameServerTokens: FailureThrottle
  pollLimit: GameServerLimit
  eventLimit: GameServerLimit
  heldPolls: HeldPolls
  storeCache: StoreCache
  catalogCache: CatalogCache
  returningPlayers: ReturningPlayers
  /** Set on SIGTERM: readiness turns red, and every response closes its connection. */
  lifecycle: Lifecycle
  close(): Promise<void>
}

export function createContext(config: GatewayConfig, overrides: ContextOverrides = {}): GatewayContext {
  const log = overrides.log ?? createLogger({ service: 'gateway', level: config.log.level })
  const clock = overrides.clock ?? systemClock
  const { monotonicMs } = clock
  const metrics = createGatewayMetrics()
  const identity = createIdentity('gateway', { config: config.identity, log, metrics: metrics.metrics })
  const redis = overrides.redis ?? createRedis({ ...config.redis, log })
  exportRedisState(metrics.metrics, redis)
  const connected = connectServices(config.cells, { metrics: metrics.metrics, identity })
  const { clients, states: cellStates, close: disconnect } = connected
  const { stores, gameServers } = clients
  const heldPolls = createHeldPolls({ max: config.polls.maxHeld })
  metrics.metrics.gauge('held_polls', 'Polls of game servers that wait for a command.', () => [
    { labels: {}, value: heldPolls.count() },
  ])
  const { redisFallbacks: fallbacks, limitedRequests: limited } = metrics
  const throttle = (policy: string, quota: number) => createFailureThrottle({ policy, quota, limited, monotonicMs })
  const limitOf = (policy: GameServerPolicy, perMinute: number) =>
    createGameServerLimit({ policy, perMinute, limited, monotonicMs })
  return {
    config,
    log,
    metrics,
    redis,
    ...clients,
    cellStates,
    apiKeys: createApiKeys({
      stores,
      cells: config.cells,
      redis,
      cacheMs: config.apiKeys.cacheMs,
      checks: metrics.apiKeyChecks,
      clock,
    }),
    gameServerTokens: createGameServerTokens({
      gameServers,
      cells: config.cells,
      checks: metrics.gameServerTokenChecks,
      clock,
    }),
    tokenEpochs: overrides.tokenEpochs ?? createTokenEpochs({ redis, fallbacks }),
    limiter: createLimiter({
      redis,
      replicas: config.limits.replicas,
      limited,
      fallbacks,
      monotonicMs,
    }),
    bodies: createBodyReader({ maxBytes: config.connections.maxUnfinishedBytes, limited }),
    pollLimit: limitOf('game-server-poll', config.limits.pollsPerMinute),
    eventLimit: limitOf('game-server-events', config.limits.eventsPerMinute),
    heldPolls,
    failedGameServerTokens: throttle('failed-game-server-token', config.limits.failedAuthPerMinute),
    failedApiKeys: throttle('failed-api-key', config.limits.failedAuthPerMinute),
    failedTokens: throttle('failed-token', config.limits.failedAuthPerMinute),
    storeCache: createStoreCache({
      stores,
      unknownStores: throttle('unknown-store', config.limits.unknownStorePerMinute),
      monotonicMs,
    }),
    catalogCache: createCatalogCache({ maxBytes: catalogCacheBytes, monotonicMs }),
    returningPlayers: createReturningPlayers({ monotonicMs }),
    lifecycle: { draining: false, onDraining: heldPolls.endAll },
    async close() {
      disconnect()
      await redis.close()
      identity.close()
    },
  }
}

/** Hundreds of pages of products. */
const catalogCacheBytes = 32 * 1024 * 1024

export interface ContextOverrides {
  log?: Logger
  clock?: Clock
  redis?: Redis
  tokenEpochs?: TokenEpochs
}
