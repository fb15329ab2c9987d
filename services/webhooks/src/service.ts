import { fileURLToPath } from 'node:url'
import { bind } from '@storekeep/common/grpc'
import { defineService } from '@storekeep/common/service'
import { ListeningService } from '@storekeep/proto/webhooks/v1/listening_service'
import { WebhooksService } from '@storekeep/proto/webhooks/v1/webhooks_service'
import { createContext } from './context.ts'
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
  ],
  tasks: (ctx) => [reencryptSecrets(ctx)],
})
