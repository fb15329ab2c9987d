import { orderDto, orderDtoSchema, orderExample } from '@storekeep/records/orders/order-dto'
import { endpoint } from '../../http/endpoint.ts'
import { orderPath } from './order-path.ts'

export const getOrder = endpoint({
  operationId: 'getOrder',
  tag: 'Orders',
  summary: 'Get an order',
  description: 'Returns one order by its id.',
  method: 'get',
  path: '/v1/stores/{storeId}/orders/{orderId}',
  auth: 'api-key',
  scope: 'orders:read',
  params: orderPath,
  success: { status: 200, description: 'The order.', schema: orderDtoSchema, example: orderExample },
  async handle({ orders }, { params, call }) {
    const { order } = await orders.getOrder({ orderId: params.orderId }, call)
    return { body: orderDto(order) }
  },
})
