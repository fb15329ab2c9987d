import { fileURLToPath } from 'node:url'
import { bind } from '@storekeep/common/grpc'
import { defineService } from '@storekeep/common/service'
import { StoresService } from '@storekeep/proto/stores/v1/stores_service'
import { createApiKeyHandlers } from './api-keys/handlers/index.ts'
import { createContext } from './context.ts'
import { createStoreHandlers } from './stores/handlers/index.ts'

export const stores = defineService({
  name: 'stores',
  nodeNumber: 1,
  migrations: fileURLToPath(new URL('db/migrations', import.meta.url)),
  createContext,
  bind: (ctx) => [bind(StoresService, { ...createStoreHandlers(ctx), ...createApiKeyHandlers(ctx) })],
  close: (ctx) => ctx.close(),
})
