import { deliveryItemDtoSchema, deliveryItemExample } from '@storekeep/records/delivery/delivery-item-dto'
import { z } from 'zod'
import { endpoint } from '../../http/endpoint.ts'
import { customerOfItems } from './delivery-path.ts'
import { itemQuery, listItems } from './item-query.ts'

export const listCustomerDeliveryItems = endpoint({
  operationId: 'listCustomerDeliveryItems',
  tag: 'Delivery',
  summary: 'List the delivery items of a customer',
  description: 'Returns the items that a customer receives or received, page by page, with their commands.',
  method: 'get',
  path: '/v1/stores/{storeId}/customers/{customerId}/delivery/items',
  auth: 'api-key',
  scope: 'delivery:read',
  params: customerOfItems,
  query: itemQuery,
  success: {
    status: 200,
    description: 'One page of items.',
    schema: z.array(deliveryItemDtoSchema),
    example: [deliveryItemExample],
  },
  async handle(ctx, { params, query, call }) {
    // The delivery service does not own customers, so it cannot tell an unknown one from one without items.
    const [items] = await Promise.all([listItems(ctx, query, params, call), ctx.customers.getCustomer(params, call)])
    return items
  },
})
