import { fileURLToPath } from 'node:url'
import { defineService } from '@storekeep/common/service'
import { createContext } from './context.ts'
import { copyConsumers } from './copies/events/consumers.ts'

export const delivery = defineService({
  name: 'delivery',
  nodeNumber: 10,
  migrations: fileURLToPath(new URL('db/migrations', import.meta.url)),
  createContext,
  bind: () => [],
  consumers: copyConsumers,
  close: (ctx) => ctx.redis.close(),
})
