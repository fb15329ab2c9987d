import { deliveryItemDtoSchema, deliveryItemExample } from '@storekeep/records/delivery/delivery-item-dto'
import { z } from 'zod'
import { endpoint } from '../../http/endpoint.ts'
import { orderOfItems } from './delivery-path.ts'
import { itemQuery, listItems } from './item-query.ts'

export const listOrderDeliveryItems = endpoint({
  operationId: 'listOrderDeliveryItems',
  tag: 'Delivery',
  summary: 'List the delivery items of an order',
  description: 'Returns the items that an order paid for, page by page, with their commands.',
  method: 'get',
  path: '/v1/stores/{storeId}/orders/{orderId}/delivery/items',
  auth: 'api-key',
  scope: 'delivery:read',
  params: orderOfItems,
  query: itemQuery,
  success: {
    status: 200,
    description: 'One page of items.',
    schema: z.array(deliveryItemDtoSchema),
    example: [deliveryItemExample],
  },
  async handle(ctx, { params, query, call }) {
    // The delivery service does not own orders, so it cannot tell an unknown one from one without items.
    const [items] = await Promise.all([listItems(ctx, query, params, call), ctx.orders.getOrder(params, call)])
    return items
  },
})
