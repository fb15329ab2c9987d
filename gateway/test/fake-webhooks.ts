import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { Call, Handlers } from '@storekeep/common/grpc'
import type { DeliveriesService } from '@storekeep/proto/webhooks/v1/deliveries_service'
import { type DeliverySchema, DeliveryStatus } from '@storekeep/proto/webhooks/v1/delivery'
import {
  type WebhookEndpointInput,
  type WebhookEndpointSchema,
  WebhookFormat,
} from '@storekeep/proto/webhooks/v1/webhook_endpoint'
import type { WebhooksService } from '@storekeep/proto/webhooks/v1/webhooks_service'
import { newId } from './ids.ts'

const createdAt = timestampFromDate(new Date('2026-11-20T14:35:17.042Z'))
const secret = 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA='

/** The endpoints of the webhooks service without its rules. */
export function webhooksHandlers(): Handlers<typeof WebhooksService> {
  return {
    createWebhookEndpoint: async ({ webhookEndpoint }, call) => ({
      webhookEndpoint: endpointMessage(newId(), call, webhookEndpoint),
      secret,
    }),
    getWebhookEndpoint: async ({ webhookEndpointId }, call) => ({
      webhookEndpoint: endpointMessage(webhookEndpointId, call),
    }),
    listWebhookEndpoints: async (_request, call) => ({
      webhookEndpoints: [endpointMessage(newId(), call)],
      page: { hasNext: false, hasPrevious: false },
    }),
    updateWebhookEndpoint: async ({ webhookEndpointId, webhookEndpoint }, call) => ({
      webhookEndpoint: { ...endpointMessage(webhookEndpointId, call, webhookEndpoint), updatedAt: createdAt },
    }),
    deleteWebhookEndpoint: async () => ({}),
    rotateWebhookSecret: async ({ webhookEndpointId }, call) => ({
      webhookEndpoint: endpointMessage(webhookEndpointId, call),
      secret,
    }),
  }
}

/** The deliveries of the webhooks service without its rules. */
export function deliveriesHandlers(): Handlers<typeof DeliveriesService> {
  return {
    pingWebhookEndpoint: async ({ webhookEndpointId }, call) => ({
      delivery: { ...deliveryMessage(newId(), webhookEndpointId, call), eventType: 'ping' },
    }),
    listDeliveries: async ({ webhookEndpointId }, call) => ({
      deliveries: [deliveryMessage(newId(), webhookEndpointId, call)],
      page: { hasNext: false, hasPrevious: false },
    }),
    getDelivery: async ({ webhookEndpointId, deliveryId }, call) => ({
      delivery: deliveryMessage(deliveryId, webhookEndpointId, call),
      requestBody: '{"type":"ban.created"}',
      attempts: [
        {
          startedAt: createdAt,
          durationMs: 87,
          requestHeaders: { 'webhook-id': 'msg_1' },
          responseStatus: 200,
          responseHeaders: { 'content-type': 'text/plain' },
          responseBody: 'ok',
        },
      ],
    }),
    resendDelivery: async ({ webhookEndpointId, deliveryId }, call) => ({
      delivery: deliveryMessage(deliveryId, webhookEndpointId, call),
    }),
    resendDeliveries: async () => ({ scheduled: 3 }),
  }
}

function endpointMessage(
  id: string,
  { storeId = '', actor }: Call,
  input: Partial<WebhookEndpointInput> = {},
): MessageInitShape<typeof WebhookEndpointSchema> {
  return {
    id,
    storeId,
    url: input.url || 'https://example.com/hooks',
    eventTypes: input.eventTypes?.length ? input.eventTypes : ['*'],
    enabled: input.enabled ?? true,
    description: input.description ?? '',
    format: input.format || WebhookFormat.STANDARD,
    headerNames: Object.keys(input.headers ?? { 'x-token': '' }),
    createdBy: actor,
    createdAt,
    version: 1n,
  }
}

function deliveryMessage(
  id: string,
  webhookEndpointId: string,
  { storeId = '' }: Call,
): MessageInitShape<typeof DeliverySchema> {
  return {
    id,
    storeId,
    webhookEndpointId,
    eventId: 'msg_1',
    eventType: 'ban.created',
    status: DeliveryStatus.SUCCEEDED,
    attemptCount: 1,
    responseStatus: 200,
    createdAt,
    completedAt: createdAt,
  }
}
