import { endpoint } from '../../http/endpoint.ts'
import { attemptDto, deliveryDetailsSchema, deliveryDto, deliveryExample, deliveryPath } from './delivery-dto.ts'

export const getDelivery = endpoint({
  operationId: 'getWebhookDelivery',
  tag: 'Webhooks',
  summary: 'Get a delivery to a webhook endpoint',
  description: 'Returns one delivery with its requests and the responses of your server.',
  method: 'get',
  path: '/v1/stores/{storeId}/webhook-endpoints/{webhookEndpointId}/deliveries/{deliveryId}',
  auth: 'api-key',
  scope: 'webhooks:read',
  params: deliveryPath,
  success: {
    status: 200,
    description: 'The delivery.',
    schema: deliveryDetailsSchema,
    example: {
      ...deliveryExample,
      request_body: '{"type":"order.created","timestamp":"2026-11-20T14:35:17.000Z","data":{…}}',
      attempts: [
        {
          started_at: '2026-11-20T14:35:17.000Z',
          duration_ms: 87,
          request_headers: { 'content-type': 'application/json', 'webhook-id': deliveryExample.event_id },
          response_status: 204,
          response_headers: { date: 'Fri, 20 Nov 2026 14:35:17 GMT' },
          response_body: '',
          error: null,
        },
      ],
    },
  },
  async handle({ webhookDeliveries }, { params, call }) {
    const { delivery, requestBody, attempts } = await webhookDeliveries.getDelivery(params, call)
    return { body: { ...deliveryDto(delivery), request_body: requestBody, attempts: attempts.map(attemptDto) } }
  },
})
