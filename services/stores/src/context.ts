import type { Handlers } from '@storekeep/common/grpc'
import { createRedis, exportRedisState } from '@storekeep/common/redis'
import type { Runtime } from '@storekeep/common/service'
import type { Metrics } from '@storekeep/common/telemetry'
import { apiKeyCheckOutcomes } from '@storekeep/proto/conventions/api-key'
import type { StoresService } from '@storekeep/proto/stores/v1/stores_service'
import { announceRevocation } from './adapters/announce-revocation.ts'
import { createKeyUsage, type KeyUsage } from './api-keys/db/key-usage.ts'
import type { StoresConfig } from './config.ts'

/** The dependencies of the handlers. */
export interface AppContext extends Runtime {
  keyUsage: KeyUsage
  keyChecks: ReturnType<Metrics['counter']>
  /** See `StoresConfig`. */
  peppers: readonly Buffer[]
  announceRevocation(apiKeyId: string): Promise<void>
  /** Writes pending `last_used_at` updates and closes the Redis connection. */
  close(): Promise<void>
}

/** The handlers of this service, one per rpc. */
export type StoresHandlers = Handlers<typeof StoresService>

export function createContext(runtime: Runtime, config: StoresConfig): AppContext {
  const redis = createRedis({ ...config.redis, log: runtime.log })
  exportRedisState(runtime.metrics, redis)
  const keyUsage = createKeyUsage(runtime)
  return {
    ...runtime,
    peppers: config.peppers,
    keyUsage,
    keyChecks: runtime.metrics.counter('api_key_checks_total', 'API key checks, by outcome.', ['outcome'], {
      outcome: apiKeyCheckOutcomes,
    }),
    announceRevocation: announceRevocation({ ...runtime, redis }),
    async close() {
      await keyUsage.settled()
      await redis.close()
    },
  }
}
