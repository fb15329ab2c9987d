import { fileURLToPath } from 'node:url'
import { bind } from '@storekeep/common/grpc'
import { defineService } from '@storekeep/common/service'
import { OrdersService } from '@storekeep/proto/orders/v1/orders_service'
import { PaymentsService } from '@storekeep/proto/orders/v1/payments_service'
import { SubscriptionsService } from '@storekeep/proto/orders/v1/subscriptions_service'
import { createContext } from './context.ts'
import { exportedOrders, exportedSubscriptions } from './exports.ts'
import { createOrderHandlers } from './orders/handlers/index.ts'
import { createPaymentHandlers } from './payments/handlers/index.ts'
import { reencryptSettings } from './payments/tasks/reencrypt-settings.ts'
import { createSubscriptionHandlers } from './subscriptions/handlers/index.ts'
import { sweeps } from './tasks/sweep.ts'

export const orders = defineService({
  name: 'orders',
  nodeNumber: 8,
  migrations: fileURLToPath(new URL('db/migrations', import.meta.url)),
  createContext,
  bind: (ctx) => [
    bind(OrdersService, createOrderHandlers(ctx)),
    bind(PaymentsService, createPaymentHandlers(ctx)),
    bind(SubscriptionsService, createSubscriptionHandlers(ctx)),
  ],
  tasks: (ctx) => [...sweeps(ctx), reencryptSettings(ctx)],
  exports: () => [exportedOrders(), exportedSubscriptions()],
  close: (ctx) => ctx.closeClients(),
})
