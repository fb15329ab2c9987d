import { fileURLToPath } from 'node:url'
import { bind } from '@storekeep/common/grpc'
import { defineService } from '@storekeep/common/service'
import { CommandQueueService } from '@storekeep/proto/delivery/v1/command_queue_service'
import { GameServersService } from '@storekeep/proto/delivery/v1/game_servers_service'
import { createContext } from './context.ts'
import { copyConsumers } from './copies/events/consumers.ts'
import { createGameServerHandlers } from './game-servers/handlers/index.ts'
import { createCommandQueueHandlers } from './queue/handlers/index.ts'
import { emptyQueuesOfDeletedServers, measureQueues, pruneJoins, writeFetchTimes } from './queue/tasks/maintenance.ts'
import { markStuckCommands } from './queue/tasks/mark-stuck-commands.ts'
import { refreshDueQueues } from './queue/tasks/refresh-due-queues.ts'

export const delivery = defineService({
  name: 'delivery',
  nodeNumber: 10,
  migrations: fileURLToPath(new URL('db/migrations', import.meta.url)),
  createContext,
  bind: (ctx) => [
    bind(GameServersService, createGameServerHandlers(ctx)),
    bind(CommandQueueService, createCommandQueueHandlers(ctx)),
  ],
  consumers: copyConsumers,
  tasks: (ctx) => [
    refreshDueQueues(ctx),
    markStuckCommands(ctx),
    emptyQueuesOfDeletedServers(ctx),
    pruneJoins(ctx),
    writeFetchTimes(ctx),
    measureQueues(ctx),
  ],
  close: (ctx) => ctx.redis.close(),
})
