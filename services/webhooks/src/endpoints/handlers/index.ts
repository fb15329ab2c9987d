import type { AppContext, WebhooksHandlers } from '../../context.ts'
import { createWebhookEndpoint } from './create-webhook-endpoint.ts'
import { deleteWebhookEndpoint } from './delete-webhook-endpoint.ts'
import { getWebhookEndpoint } from './get-webhook-endpoint.ts'
import { listWebhookEndpoints } from './list-webhook-endpoints.ts'
import { rotateWebhookSecret } from './rotate-webhook-secret.ts'
import { updateWebhookEndpoint } from './update-webhook-endpoint.ts'

export function createEndpointHandlers(ctx: AppContext): WebhooksHandlers {
  return {
    createWebhookEndpoint: createWebhookEndpoint(ctx),
    getWebhookEndpoint: getWebhookEndpoint(ctx),
    listWebhookEndpoints: listWebhookEndpoints(ctx),
    updateWebhookEndpoint: updateWebhookEndpoint(ctx),
    deleteWebhookEndpoint: deleteWebhookEndpoint(ctx),
    rotateWebhookSecret: rotateWebhookSecret(ctx),
  }
}
