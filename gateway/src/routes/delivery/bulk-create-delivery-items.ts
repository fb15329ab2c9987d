import { deliveryLimits } from '@storekeep/proto/conventions/limits'
import { deliveryItemDtoSchema } from '@storekeep/records/delivery/delivery-item-dto'
import { z } from 'zod'
import { endpoint } from '../../http/endpoint.ts'
import { grantItems } from './grant-items.ts'
import { grantedItemExample } from './granted-item-example.ts'
import { customerItemGrant, itemGrantMessage } from './item-grant.ts'

const { grants: maxGrants, items: maxItems } = deliveryLimits

export const bulkCreateDeliveryItems = endpoint({
  operationId: 'bulkCreateDeliveryItems',
  tag: 'Delivery',
  summary: 'Create delivery items in bulk',
  description:
    `Hands out products to up to ${maxGrants} customers without orders, at most ${maxItems.toLocaleString('en')} items. All or none: ` +
    'when any grant is invalid, no item is created. Replace the ids in the example with your own.',
  method: 'post',
  path: '/v1/stores/{storeId}/delivery/items',
  auth: 'api-key',
  scope: 'delivery:write',
  body: z.array(customerItemGrant).min(1).max(maxGrants).meta({ description: 'The products to hand out.' }),
  bodyExample: [{ customer_id: '411486491630370816', product_id: '411486491630370832', quantity: 1 }],
  success: {
    status: 200,
    description: 'The created items, in the order of the request.',
    schema: z.array(deliveryItemDtoSchema),
    example: [grantedItemExample],
  },
  async handle(ctx, { body, call }) {
    const grants = body.map((grant) => itemGrantMessage(grant.customer_id, grant))
    return await grantItems(ctx, { grants, isSingle: false }, call)
  },
})
