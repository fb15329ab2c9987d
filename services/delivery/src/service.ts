import { fileURLToPath } from 'node:url'
import { bind } from '@storekeep/common/grpc'
import { defineService } from '@storekeep/common/service'
import { CommandQueueService } from '@storekeep/proto/delivery/v1/command_queue_service'
import { DeliveryItemsService } from '@storekeep/proto/delivery/v1/delivery_items_service'
import { GameServersService } from '@storekeep/proto/delivery/v1/game_servers_service'
import { GlobalCommandsService } from '@storekeep/proto/delivery/v1/global_commands_service'
import { createContext } from './context.ts'
import { copyConsumers } from './copies/events/consumers.ts'
import { exportedItems } from './exports.ts'
import { createGameServerHandlers } from './game-servers/handlers/index.ts'
import { createGlobalCommandHandlers } from './global-commands/handlers/index.ts'
import { itemConsumers } from './items/events/consumers.ts'
import { createDeliveryItemHandlers } from './items/handlers/index.ts'
import { itemSweeps } from './items/tasks/sweep.ts'
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
    bind(GlobalCommandsService, createGlobalCommandHandlers(ctx)),
    bind(DeliveryItemsService, createDeliveryItemHandlers(ctx)),
  ],
  consumers: (ctx) => [...copyConsumers(ctx), ...itemConsumers(ctx)],
  tasks: (ctx) => [
    ...itemSweeps(ctx),
    refreshDueQueues(ctx),
    markStuckCommands(ctx),
    emptyQueuesOfDeletedServers(ctx),
    pruneJoins(ctx),
    writeFetchTimes(ctx),
    measureQueues(ctx),
  ],
  exports: () => [exportedItems()],
})
