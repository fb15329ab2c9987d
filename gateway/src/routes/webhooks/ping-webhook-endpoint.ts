import { endpoint } from '../../http/endpoint.ts'
import { deliveryDto, deliveryDtoSchema, pendingExample } from './delivery-dto.ts'
import { webhookEndpointPath } from './webhook-endpoint-path.ts'

export const pingWebhookEndpoint = endpoint({
  operationId: 'pingWebhookEndpoint',
  tag: 'Webhooks',
  summary: 'Send a test event to a webhook endpoint',
  description:
    'Sends an event of type `ping` to this endpoint, regardless of its event types. Get the delivery to see the response.',
  method: 'post',
  path: '/v1/stores/{storeId}/webhook-endpoints/{webhookEndpointId}/ping',
  auth: 'api-key',
  scope: 'webhooks:write',
  params: webhookEndpointPath,
  errors: ['conflict'],
  success: {
    status: 200,
    description: 'The scheduled delivery.',
    schema: deliveryDtoSchema,
    example: { ...pendingExample, event_type: 'ping' },
  },
  async handle({ webhookDeliveries }, { params, call }) {
    const { delivery } = await webhookDeliveries.pingWebhookEndpoint(params, call)
    return { body: deliveryDto(delivery) }
  },
})
