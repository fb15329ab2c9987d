import type { Handlers } from '@storekeep/common/grpc'
import { createRedis, exportRedisState, type Redis } from '@storekeep/common/redis'
import type { Runtime } from '@storekeep/common/service'
import type { CommandQueueService } from '@storekeep/proto/delivery/v1/command_queue_service'
import type { GameServersService } from '@storekeep/proto/delivery/v1/game_servers_service'
import type { DeliveryConfig } from './config.ts'
import { createTokenEpochs, type TokenEpochs } from './game-servers/adapters/token-epochs.ts'
import { createDueQueues, type DueQueues } from './queue/steps/due-queues.ts'
import { createFetchTimes, type FetchTimes } from './queue/steps/fetch-times.ts'
import { createQueueMetrics, type QueueMetrics } from './queue/tasks/queue-metrics.ts'

/** Everything a handler may use. Built here and nowhere else; handlers close over it. */
export interface AppContext extends Runtime {
  redis: Redis
  tokenEpochs: TokenEpochs
  dueQueues: DueQueues
  fetchTimes: FetchTimes
  queueMetrics: QueueMetrics
  /** Time after which a command that was given out, but not acknowledged, is given out again. */
  leaseMs: number
  /** Interval at which items expire and commands that were never acknowledged become stuck. */
  sweepMs: number
}

/** The handlers of GameServersService, one per rpc. */
export type GameServersHandlers = Handlers<typeof GameServersService>

/** The handlers of CommandQueueService, one per rpc. */
export type CommandQueueHandlers = Handlers<typeof CommandQueueService>

export function createContext(runtime: Runtime, config: DeliveryConfig): AppContext {
  const redis = createRedis({ ...config.redis, log: runtime.log })
  exportRedisState(runtime.metrics, redis)
  return {
    ...runtime,
    redis,
    tokenEpochs: createTokenEpochs({ ...runtime, redis }),
    dueQueues: createDueQueues(runtime),
    fetchTimes: createFetchTimes(runtime),
    queueMetrics: createQueueMetrics(runtime.metrics),
    leaseMs: config.commands.leaseMs,
    sweepMs: config.sweep.intervalMs,
  }
}
