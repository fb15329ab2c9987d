import { fileURLToPath } from 'node:url'
import { bind } from '@storekeep/common/grpc'
import { defineService } from '@storekeep/common/service'
import { SearchService } from '@storekeep/proto/search/v1/search_service'
import { createContext } from './context.ts'
import { consumers } from './documents/events/consumers.ts'
import { createDocumentHandlers } from './documents/handlers/index.ts'
import { createRebuildHandlers } from './rebuilds/handlers/index.ts'
import { rebuildTask } from './rebuilds/tasks/rebuild-task.ts'
import { verifyTask } from './rebuilds/tasks/verify-task.ts'

export const search = defineService({
  name: 'search',
  nodeNumber: 7,
  migrations: fileURLToPath(new URL('db/migrations', import.meta.url)),
  createContext,
  bind: (ctx) => [bind(SearchService, { ...createDocumentHandlers(ctx), ...createRebuildHandlers(ctx) })],
  consumers,
  tasks: (ctx) => [rebuildTask(ctx), verifyTask(ctx)],
  close: (ctx) => ctx.close(),
})
