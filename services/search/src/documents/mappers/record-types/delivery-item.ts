import { DeliveryItemSchema } from '@storekeep/proto/delivery/v1/delivery_item'
import {
  DeliveryItemActivatedSchema,
  DeliveryItemAddedSchema,
  DeliveryItemExpiredSchema,
  DeliveryItemRenewedSchema,
  DeliveryItemRevokedSchema,
  DeliveryItemUsedSchema,
} from '@storekeep/proto/delivery/v1/events'
import { nonEmpty } from './non-empty.ts'
import { defineRecordType } from './record-type.ts'

export const deliveryItemType = defineRecordType({
  type: 'delivery_item',
  owner: 'delivery',
  schema: DeliveryItemSchema,
  changes: [
    DeliveryItemAddedSchema,
    DeliveryItemActivatedSchema,
    DeliveryItemExpiredSchema,
    DeliveryItemUsedSchema,
    DeliveryItemRenewedSchema,
    DeliveryItemRevokedSchema,
  ],
  deletions: [],
  eventField: 'item',
  describe: ({ id, customerId, orderCustomerId, checkoutId, orderId, subscriptionId, product }) => ({
    // Its product is found by name. A popular product has thousands of items, which would hide everything else.
    texts: [],
    ids: [id, customerId, ...nonEmpty(orderCustomerId, checkoutId, orderId, subscriptionId, product?.id)],
    hints: { customer_id: nonEmpty(customerId, orderCustomerId) },
  }),
})
