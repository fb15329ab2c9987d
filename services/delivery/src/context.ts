import type { Handlers } from '@storekeep/common/grpc'
import { createRedis, exportRedisState, type Redis } from '@storekeep/common/redis'
import type { Runtime } from '@storekeep/common/service'
import type { GameServersService } from '@storekeep/proto/delivery/v1/game_servers_service'
import type { DeliveryConfig } from './config.ts'
import { createTokenEpochs, type TokenEpochs } from './game-servers/adapters/token-epochs.ts'

/** Everything a handler may use. Built here and nowhere else; handlers close over it. */
export interface AppContext extends Runtime {
  redis: Redis
  tokenEpochs: TokenEpochs
  /** Time after which a command that was given out, but not acknowledged, is given out again. */
  leaseMs: number
  /** Interval at which items expire and commands that were never acknowledged become stuck. */
  sweepMs: number
}

/** The handlers of GameServersService, one per rpc. */
export type GameServersHandlers = Handlers<typeof GameServersService>

export function createContext(runtime: Runtime, config: DeliveryConfig): AppContext {
  const redis = createRedis({ ...config.redis, log: runtime.log })
  exportRedisState(runtime.metrics, redis)
  return {
    ...runtime,
    redis,
    tokenEpochs: createTokenEpochs({ ...runtime, redis }),
    leaseMs: config.commands.leaseMs,
    sweepMs: config.sweep.intervalMs,
  }
}
