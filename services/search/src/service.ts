import { fileURLToPath } from 'node:url'
import { bind } from '@storekeep/common/grpc'
import { defineService } from '@storekeep/common/service'
import { SearchService } from '@storekeep/proto/search/v1/search_service'
import { createContext } from './context.ts'
import { consumers } from './events/consumers.ts'
import { createHandlers } from './handlers/index.ts'
import { checkTask } from './rebuild/check-task.ts'
import { rebuildTask } from './rebuild/rebuild-task.ts'

export const search = defineService({
  name: 'search',
  nodeNumber: 7,
  migrations: fileURLToPath(new URL('db/migrations', import.meta.url)),
  createContext,
  bind: (ctx) => [bind(SearchService, createHandlers(ctx))],
  consumers,
  tasks: (ctx) => [rebuildTask(ctx), checkTask(ctx)],
  close: (ctx) => ctx.closeClients(),
})
