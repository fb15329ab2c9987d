import { fileURLToPath } from 'node:url'
import { bind } from '@storekeep/common/grpc'
import { defineService } from '@storekeep/common/service'
import { GameServersService } from '@storekeep/proto/delivery/v1/game_servers_service'
import { createContext } from './context.ts'
import { copyConsumers } from './copies/events/consumers.ts'
import { createGameServerHandlers } from './game-servers/handlers/index.ts'

export const delivery = defineService({
  name: 'delivery',
  nodeNumber: 10,
  migrations: fileURLToPath(new URL('db/migrations', import.meta.url)),
  createContext,
  bind: (ctx) => [bind(GameServersService, createGameServerHandlers(ctx))],
  consumers: copyConsumers,
  close: (ctx) => ctx.redis.close(),
})
