import { endpoint } from '../../http/endpoint.ts'
import { webhookEndpointPath } from './webhook-endpoint-path.ts'

export const deleteWebhookEndpoint = endpoint({
  operationId: 'deleteWebhookEndpoint',
  tag: 'Webhooks',
  summary: 'Delete a webhook endpoint',
  description: 'Deletes the endpoint with its deliveries. Requests that are being sent may still arrive.',
  method: 'delete',
  path: '/v1/stores/{storeId}/webhook-endpoints/{webhookEndpointId}',
  auth: 'api-key',
  scope: 'webhooks:write',
  params: webhookEndpointPath,
  success: { status: 204, description: 'The endpoint was deleted.' },
  async handle({ webhooks }, { params, call }) {
    await webhooks.deleteWebhookEndpoint(params, call)
    return {}
  },
})
