import { fileURLToPath } from 'node:url'
import { defineService } from '@storekeep/common/service'
import type { OrdersConfig } from './config.ts'
import { type AppContext, createContext } from './context.ts'

export const orders = defineService<OrdersConfig, AppContext>({
  name: 'orders',
  nodeNumber: 8,
  migrations: fileURLToPath(new URL('db/migrations', import.meta.url)),
  createContext,
  bind: () => [],
})
