import { fileURLToPath } from 'node:url'
import { bind } from '@storekeep/common/grpc'
import { defineService } from '@storekeep/common/service'
import { CustomersService } from '@storekeep/proto/customers/v1/customers_service'
import { createContext } from './context.ts'
import { consumers } from './customers/events/consumers.ts'
import { createCustomerHandlers } from './customers/handlers/index.ts'
import { removeUnusedCustomers } from './customers/tasks/remove-unused-customers.ts'
import { exportedCustomers } from './exports.ts'
import { createPortalSessionHandlers } from './portal-sessions/handlers/index.ts'
import { createTokenHandlers } from './tokens/handlers/index.ts'

export const customers = defineService({
  name: 'customers',
  nodeNumber: 2,
  migrations: fileURLToPath(new URL('db/migrations', import.meta.url)),
  createContext,
  bind: (ctx) => [
    bind(CustomersService, {
      ...createCustomerHandlers(ctx),
      ...createTokenHandlers(ctx),
      ...createPortalSessionHandlers(ctx),
    }),
  ],
  consumers,
  tasks: (ctx) => [removeUnusedCustomers(ctx)],
  exports: () => [exportedCustomers],
  close: (ctx) => ctx.closeClients(),
})
