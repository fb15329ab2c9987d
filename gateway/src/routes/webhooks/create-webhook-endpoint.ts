import {
  webhookEndpointDto,
  webhookEndpointWithSecretExample,
  webhookEndpointWithSecretSchema,
} from '@storekeep/records/webhooks/webhook-endpoint-dto'
import { endpoint } from '../../http/endpoint.ts'
import { newWebhookEndpoint, newWebhookEndpointExample, webhookEndpointInput } from './webhook-endpoint-input.ts'

export const createWebhookEndpoint = endpoint({
  operationId: 'createWebhookEndpoint',
  tag: 'Webhooks',
  summary: 'Create a webhook endpoint',
  description:
    'Sends the events of the store that occur from now on to your server, with retries for about three days. Requests are ' +
    'signed with the returned secret, as Standard Webhooks specifies. A store has at most 50 endpoints.',
  method: 'post',
  path: '/v1/stores/{storeId}/webhook-endpoints',
  auth: 'api-key',
  scope: 'webhooks:write',
  errors: ['conflict'],
  body: newWebhookEndpoint,
  bodyExample: newWebhookEndpointExample,
  success: {
    status: 200,
    description: 'The created endpoint, with its signing secret.',
    schema: webhookEndpointWithSecretSchema,
    example: webhookEndpointWithSecretExample,
  },
  async handle({ webhooks }, { body, call }) {
    const defaults = { enabled: true, format: 'standard' } as const
    const request = { webhookEndpoint: webhookEndpointInput({ ...defaults, ...body }) }
    const { webhookEndpoint, secret } = await webhooks.createWebhookEndpoint(request, call)
    return { body: { ...webhookEndpointDto(webhookEndpoint), secret } }
  },
})
