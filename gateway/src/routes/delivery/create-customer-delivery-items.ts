import { deliveryItemDtoSchema } from '@storekeep/records/delivery/delivery-item-dto'
import { z } from 'zod'
import { endpoint } from '../../http/endpoint.ts'
import { customerOfItems } from './delivery-path.ts'
import { grantItems } from './grant-items.ts'
import { grantedItemExample } from './granted-item-example.ts'
import { itemGrant, itemGrantMessage } from './item-grant.ts'

export const createCustomerDeliveryItems = endpoint({
  operationId: 'createCustomerDeliveryItems',
  tag: 'Delivery',
  summary: 'Create delivery items for a customer',
  description:
    'Hands out a product without an order, for example as a prize or a replacement. The `on_purchase` commands run as after a purchase.',
  method: 'post',
  path: '/v1/stores/{storeId}/customers/{customerId}/delivery/items',
  auth: 'api-key',
  scope: 'delivery:write',
  params: customerOfItems,
  body: itemGrant,
  bodyExample: { product_id: '411486491630370832', quantity: 1 },
  success: {
    status: 200,
    description: 'The created items.',
    schema: z.array(deliveryItemDtoSchema),
    example: [grantedItemExample],
  },
  async handle(ctx, { params, body, call }) {
    const grants = [itemGrantMessage(params.customerId, body)]
    // An unknown customer in the path is not-found; in the body of a bulk request it is an invalid reference.
    await ctx.customers.getCustomer(params, call)
    return await grantItems(ctx, { grants, isSingle: true }, call)
  },
})
