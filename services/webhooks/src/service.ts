import { fileURLToPath } from 'node:url'
import { bind } from '@storekeep/common/grpc'
import { defineService } from '@storekeep/common/service'
import { DeliveriesService } from '@storekeep/proto/webhooks/v1/deliveries_service'
import { ListeningService } from '@storekeep/proto/webhooks/v1/listening_service'
import { WebhooksService } from '@storekeep/proto/webhooks/v1/webhooks_service'
import { createContext } from './context.ts'
import { onEvents } from './deliveries/events/on-events.ts'
import { createDeliveryHandlers } from './deliveries/handlers/index.ts'
import { deleteOldDeliveries, measureBacklog } from './deliveries/tasks/maintenance.ts'
import { sendDeliveries } from './deliveries/tasks/send-deliveries.ts'
import { createEndpointHandlers } from './endpoints/handlers/index.ts'
import { reencryptSecrets } from './endpoints/tasks/reencrypt-secrets.ts'
import { pullEvents } from './listening/handlers/pull-events.ts'

export const webhooks = defineService({
  name: 'webhooks',
  nodeNumber: 9,
  migrations: fileURLToPath(new URL('db/migrations', import.meta.url)),
  createContext,
  bind: (ctx) => [
    bind(WebhooksService, createEndpointHandlers(ctx)),
    bind(ListeningService, { pullEvents: pullEvents(ctx) }),
    bind(DeliveriesService, createDeliveryHandlers(ctx)),
  ],
  consumers: (ctx) => [onEvents(ctx)],
  tasks: (ctx) => [sendDeliveries(ctx), deleteOldDeliveries(ctx), measureBacklog(ctx), reencryptSecrets(ctx)],
  close: (ctx) => ctx.outgoing.close(),
})
