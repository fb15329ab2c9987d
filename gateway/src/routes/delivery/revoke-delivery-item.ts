import { endpoint } from '../../http/endpoint.ts'
import { deliveryItemPath } from './delivery-path.ts'

export const revokeDeliveryItem = endpoint({
  operationId: 'revokeDeliveryItem',
  tag: 'Delivery',
  summary: 'Revoke a delivery item',
  description:
    'Takes an item from its customer: removes its pending commands from the queue and runs its `on_expire` commands. The order is not ' +
    'refunded.',
  method: 'delete',
  path: '/v1/stores/{storeId}/customers/{customerId}/delivery/items/{deliveryItemId}',
  auth: 'api-key',
  scope: 'delivery:write',
  params: deliveryItemPath,
  success: { status: 204, description: 'The item was revoked.' },
  async handle({ deliveryItems }, { params, call }) {
    const { customerId, deliveryItemId } = params
    await deliveryItems.revokeDeliveryItem({ customerId, itemId: deliveryItemId }, call)
    return {}
  },
})
