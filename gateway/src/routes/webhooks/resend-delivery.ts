import { endpoint } from '../../http/endpoint.ts'
import { deliveryDto, deliveryDtoSchema, deliveryPath, pendingExample } from './delivery-dto.ts'

export const resendDelivery = endpoint({
  operationId: 'resendWebhookDelivery',
  tag: 'Webhooks',
  summary: 'Resend a delivery',
  description: 'Sends the event again, with the same `webhook-id`, as another delivery. The endpoint must be enabled.',
  method: 'post',
  path: '/v1/stores/{storeId}/webhook-endpoints/{webhookEndpointId}/deliveries/{deliveryId}/resend',
  auth: 'api-key',
  scope: 'webhooks:write',
  params: deliveryPath,
  errors: ['conflict'],
  success: { status: 200, description: 'The new delivery.', schema: deliveryDtoSchema, example: pendingExample },
  async handle({ webhookDeliveries }, { params, call }) {
    const { delivery } = await webhookDeliveries.resendDelivery(params, call)
    return { body: deliveryDto(delivery) }
  },
})
