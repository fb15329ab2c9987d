import { fileURLToPath } from 'node:url'
import { bind } from '@storekeep/common/grpc'
import { defineService } from '@storekeep/common/service'
import { BansService } from '@storekeep/proto/bans/v1/bans_service'
import { createContext } from './context.ts'
import { consumers } from './events/consumers.ts'
import { exportedBans } from './exports.ts'
import { createHandlers } from './handlers/index.ts'

export const bans = defineService({
  name: 'bans',
  nodeNumber: 3,
  migrations: fileURLToPath(new URL('db/migrations', import.meta.url)),
  createContext,
  bind: (ctx) => [bind(BansService, createHandlers(ctx))],
  consumers,
  exports: (ctx) => [exportedBans(ctx)],
})
