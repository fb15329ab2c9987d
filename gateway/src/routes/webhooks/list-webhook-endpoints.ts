import {
  webhookEndpointDto,
  webhookEndpointDtoSchema,
  webhookEndpointExample,
} from '@storekeep/records/webhooks/webhook-endpoint-dto'
import { z } from 'zod'
import { endpoint, pageReply } from '../../http/endpoint.ts'
import { pageQuery, pageRequest } from '../../schemas/page.ts'

export const listWebhookEndpoints = endpoint({
  operationId: 'listWebhookEndpoints',
  tag: 'Webhooks',
  summary: 'List webhook endpoints',
  description: 'Returns webhook endpoints page by page, including disabled ones.',
  method: 'get',
  path: '/v1/stores/{storeId}/webhook-endpoints',
  auth: 'api-key',
  scope: 'webhooks:read',
  query: z.object(pageQuery),
  success: {
    status: 200,
    description: 'One page of endpoints.',
    schema: z.array(webhookEndpointDtoSchema),
    example: [webhookEndpointExample],
  },
  async handle({ webhooks }, { query, call }) {
    const { webhookEndpoints, page } = await webhooks.listWebhookEndpoints({ page: pageRequest(query) }, call)
    return pageReply(query, webhookEndpoints.map(webhookEndpointDto), page)
  },
})
