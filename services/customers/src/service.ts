import { fileURLToPath } from 'node:url'
import { bind } from '@storekeep/common/grpc'
import { defineService } from '@storekeep/common/service'
import { CustomersService } from '@storekeep/proto/customers/v1/customers_service'
import { createContext } from './context.ts'
import { consumers } from './events/consumers.ts'
import { exportedCustomers } from './exports.ts'
import { createHandlers } from './handlers/index.ts'
import { removeUnusedCustomers } from './tasks/remove-unused-customers.ts'

export const customers = defineService({
  name: 'customers',
  nodeNumber: 2,
  migrations: fileURLToPath(new URL('db/migrations', import.meta.url)),
  createContext,
  bind: (ctx) => [bind(CustomersService, createHandlers(ctx))],
  consumers,
  tasks: (ctx) => [removeUnusedCustomers(ctx)],
  exports: () => [exportedCustomers],
  close: (ctx) => ctx.closeClients(),
})
