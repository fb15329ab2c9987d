import { updateExample } from '@storekeep/records/schemas/record'
import {
  webhookEndpointDto,
  webhookEndpointDtoSchema,
  webhookEndpointExample,
} from '@storekeep/records/webhooks/webhook-endpoint-dto'
import { endpoint } from '../../http/endpoint.ts'
import { webhookEndpointInput, webhookEndpointMask, webhookEndpointPatch } from './webhook-endpoint-input.ts'
import { webhookEndpointPath } from './webhook-endpoint-path.ts'

export const updateWebhookEndpoint = endpoint({
  operationId: 'updateWebhookEndpoint',
  tag: 'Webhooks',
  summary: 'Update a webhook endpoint',
  description:
    'Omitted fields are left unchanged; `event_types` and `headers` are replaced as a whole. If the scheme, host or port of `url` ' +
    'changes and the endpoint has headers, the request must contain the values of its headers again, or `headers: {}` to remove them.',
  method: 'patch',
  path: '/v1/stores/{storeId}/webhook-endpoints/{webhookEndpointId}',
  auth: 'api-key',
  scope: 'webhooks:write',
  params: webhookEndpointPath,
  body: webhookEndpointPatch,
  bodyExample: { event_types: ['*'] },
  success: {
    status: 200,
    description: 'The updated endpoint.',
    schema: webhookEndpointDtoSchema,
    example: { ...webhookEndpointExample, ...updateExample, event_types: ['*'] },
  },
  async handle({ webhooks }, { params, body, call }) {
    const update = { webhookEndpoint: webhookEndpointInput(body), updateMask: { paths: webhookEndpointMask(body) } }
    const { webhookEndpoint } = await webhooks.updateWebhookEndpoint({ ...params, ...update }, call)
    return { body: webhookEndpointDto(webhookEndpoint) }
  },
})
