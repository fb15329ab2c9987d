import { deliveryItemDtoSchema, deliveryItemExample } from '@storekeep/records/delivery/delivery-item-dto'
import { z } from 'zod'
import { endpoint } from '../../http/endpoint.ts'
import { itemQuery, listItems } from './item-query.ts'

export const listDeliveryItems = endpoint({
  operationId: 'listDeliveryItems',
  tag: 'Delivery',
  summary: 'List delivery items',
  description: 'Returns the items of all customers page by page, with their commands.',
  method: 'get',
  path: '/v1/stores/{storeId}/delivery/items',
  auth: 'api-key',
  scope: 'delivery:read',
  query: itemQuery,
  success: {
    status: 200,
    description: 'One page of items.',
    schema: z.array(deliveryItemDtoSchema),
    example: [deliveryItemExample],
  },
  async handle(ctx, { query, call }) {
    return await listItems(ctx, query, {}, call)
  },
})
