import { text } from '@storekeep/records/schemas/fields'
import { z } from 'zod'
import { endpoint, pageReply } from '../../http/endpoint.ts'
import { pageQuery, pageRequest } from '../../schemas/page.ts'
import {
  deliveryDto,
  deliveryDtoSchema,
  deliveryExample,
  deliveryStatus,
  deliveryStatusValues,
} from './delivery-dto.ts'
import { webhookEndpointPath } from './webhook-endpoint-path.ts'

export const listDeliveries = endpoint({
  operationId: 'listWebhookDeliveries',
  tag: 'Webhooks',
  summary: 'List deliveries to a webhook endpoint',
  description: 'Returns the deliveries of the last 30 days page by page. All given filters must match.',
  method: 'get',
  path: '/v1/stores/{storeId}/webhook-endpoints/{webhookEndpointId}/deliveries',
  auth: 'api-key',
  scope: 'webhooks:read',
  params: webhookEndpointPath,
  query: z.object({
    status: deliveryStatus.optional().meta({ description: 'Returns only deliveries in this state.' }),
    event_type: text(1, 64)
      .optional()
      .meta({ description: 'Returns only deliveries of this event type, such as `ban.created` or `ping`.' }),
    ...pageQuery,
  }),
  success: {
    status: 200,
    description: 'One page of deliveries.',
    schema: z.array(deliveryDtoSchema),
    example: [deliveryExample],
  },
  async handle({ webhookDeliveries }, { params, query, call }) {
    const { status, event_type } = query
    const request = {
      ...params,
      page: pageRequest(query),
      ...(status && { status: deliveryStatusValues[status] }),
      ...(event_type && { eventType: event_type }),
    }
    const { deliveries, page } = await webhookDeliveries.listDeliveries(request, call)
    return pageReply(query, deliveries.map(deliveryDto), page)
  },
})
