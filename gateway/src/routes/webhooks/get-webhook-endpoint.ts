import {
  webhookEndpointDto,
  webhookEndpointDtoSchema,
  webhookEndpointExample,
} from '@storekeep/records/webhooks/webhook-endpoint-dto'
import { endpoint } from '../../http/endpoint.ts'
import { webhookEndpointPath } from './webhook-endpoint-path.ts'

export const getWebhookEndpoint = endpoint({
  operationId: 'getWebhookEndpoint',
  tag: 'Webhooks',
  summary: 'Get a webhook endpoint',
  description: 'Returns one webhook endpoint by its id, without its signing secrets and the values of its headers.',
  method: 'get',
  path: '/v1/stores/{storeId}/webhook-endpoints/{webhookEndpointId}',
  auth: 'api-key',
  scope: 'webhooks:read',
  params: webhookEndpointPath,
  success: {
    status: 200,
    description: 'The endpoint.',
    schema: webhookEndpointDtoSchema,
    example: webhookEndpointExample,
  },
  async handle({ webhooks }, { params, call }) {
    const { webhookEndpoint } = await webhooks.getWebhookEndpoint(params, call)
    return { body: webhookEndpointDto(webhookEndpoint) }
  },
})
