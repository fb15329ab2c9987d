import { createGrpcTransport, type Transport } from '@storekeep/common/grpc'
import { createLogger, type Logger } from '@storekeep/common/log'
import { createRedis, type Redis } from '@storekeep/common/redis'
import { type ApiKeys, createApiKeys } from './auth/api-keys.ts'
import { createTokenEpochs, type TokenEpochs } from './auth/token-epochs.ts'
import { type CustomersClient, createCustomersClient } from './clients/customers.ts'
import { createStoresClient, type StoresClient } from './clients/stores.ts'
import type { GatewayConfig } from './config.ts'
import { createLimiter, type Limiter } from './limits/limiter.ts'
import { createGatewayMetrics, type GatewayMetrics } from './metrics.ts'

/** Everything that answering a request may use. Built here and nowhere else; handlers get it as their first argument. */
export interface GatewayContext {
  config: GatewayConfig
  log: Logger
  metrics: GatewayMetrics
  redis: Redis
  stores: StoresClient
  customers: CustomersClient
  apiKeys: ApiKeys
  tokenEpochs: TokenEpochs
  limiter: Limiter
  /** Read by readiness and by every answer from the moment of SIGTERM. */
  lifecycle: { draining: boolean }
  close(): Promise<void>
}

export function createContext(config: GatewayConfig, overrides: ContextOverrides = {}): GatewayContext {
  const log = overrides.log ?? createLogger({ service: 'gateway', level: config.log.level })
  const clock = overrides.clock ?? { now: () => new Date() }
  const now = () => clock.now().getTime()
  const metrics = createGatewayMetrics()
  const redis = overrides.redis ?? createRedis({ ...config.redis, log })
  const transports = [config.stores, config.customers].map(createGrpcTransport)
  const [toStores, toCustomers] = transports as [Transport, Transport]
  const stores = createStoresClient(toStores)
  const { redisFallbacks: fallbacks } = metrics
  return {
    config,
    log,
    metrics,
    redis,
    stores,
    customers: createCustomersClient(toCustomers),
    apiKeys: createApiKeys({ stores, redis, cacheMs: config.apiKeys.cacheMs, checks: metrics.apiKeyChecks, now }),
    tokenEpochs: overrides.tokenEpochs ?? createTokenEpochs({ redis, fallbacks }),
    limiter: createLimiter({ redis, replicas: config.limits.replicas, metrics: metrics.metrics, fallbacks, now }),
    lifecycle: { draining: false },
    async close() {
      for (const transport of transports) transport.close()
      await redis.close()
    },
  }
}

export interface ContextOverrides {
  log?: Logger
  clock?: Clock
  redis?: Redis
  tokenEpochs?: TokenEpochs
}

export interface Clock {
  now(): Date
}
