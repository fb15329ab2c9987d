import type { Handlers } from '@storekeep/common/grpc'
import type { Runtime } from '@storekeep/common/service'
import type { Metrics } from '@storekeep/common/telemetry'
import type { CommandQueueService } from '@storekeep/proto/delivery/v1/command_queue_service'
import type { DeliveryItemsService } from '@storekeep/proto/delivery/v1/delivery_items_service'
import type { GameServersService } from '@storekeep/proto/delivery/v1/game_servers_service'
import type { GlobalCommandsService } from '@storekeep/proto/delivery/v1/global_commands_service'
import type { DeliveryConfig } from './config.ts'
import { createDueQueues, type DueQueues } from './queue/steps/due-queues.ts'
import { createFetchTimes, type FetchTimes } from './queue/steps/fetch-times.ts'
import { createTokenEpochs, type TokenEpochs } from './queue/steps/token-epochs.ts'
import { createQueueMetrics, type QueueMetrics } from './queue/tasks/queue-metrics.ts'

/** Everything a handler may use. Built here and nowhere else; handlers close over it. */
export interface AppContext extends Runtime {
  tokenEpochs: TokenEpochs
  dueQueues: DueQueues
  fetchTimes: FetchTimes
  queueMetrics: QueueMetrics
  /** Counts what happens to items, by `change`. */
  itemChanges: ReturnType<Metrics['counter']>
  /** Time after which a command that was given out, but not acknowledged, is given out again. */
  leaseMs: number
  /** Interval at which items expire and commands that were never acknowledged become stuck. */
  sweepMs: number
}

/** The handlers of GameServersService, one per rpc. */
export type GameServersHandlers = Handlers<typeof GameServersService>

/** The handlers of CommandQueueService, one per rpc. */
export type CommandQueueHandlers = Handlers<typeof CommandQueueService>

/** The handlers of GlobalCommandsService, one per rpc. */
export type GlobalCommandsHandlers = Handlers<typeof GlobalCommandsService>

/** The handlers of DeliveryItemsService, one per rpc. */
export type DeliveryItemsHandlers = Handlers<typeof DeliveryItemsService>

export function createContext(runtime: Runtime, config: DeliveryConfig): AppContext {
  const tokenEpochs = createTokenEpochs(runtime)
  return {
    ...runtime,
    tokenEpochs,
    dueQueues: createDueQueues({ ...runtime, onRead: tokenEpochs.applyRead }),
    fetchTimes: createFetchTimes(runtime),
    queueMetrics: createQueueMetrics(runtime.metrics),
    itemChanges: runtime.metrics.counter(
      'delivery_item_changes_total',
      'What has happened to delivery items.',
      ['change'],
      { change: ['added', 'activated', 'expired', 'renewed', 'revoked'] },
    ),
    leaseMs: config.commands.leaseMs,
    sweepMs: config.sweep.intervalMs,
  }
}
