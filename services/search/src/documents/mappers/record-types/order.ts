import {
  OrderChargedBackSchema,
  OrderCreatedSchema,
  OrderRefundedSchema,
  OrderUpdatedSchema,
} from '@storekeep/proto/orders/v1/events'
import { OrderSchema } from '@storekeep/proto/orders/v1/order'
import { isWithoutDetails } from './checkout-session.ts'
import { nonEmpty } from './non-empty.ts'
import { defineRecordType } from './record-type.ts'

export const orderType = defineRecordType({
  type: 'order',
  owner: 'orders',
  schema: OrderSchema,
  changes: [OrderCreatedSchema, OrderRefundedSchema, OrderChargedBackSchema, OrderUpdatedSchema],
  deletions: [],
  eventField: 'order',
  describe: ({ id, number, checkoutId, customerId, metadata, billingDetails, payment }) => {
    const email = nonEmpty(billingDetails?.billingEmail)
    return {
      texts: nonEmpty(
        String(number),
        payment?.providerReference,
        billingDetails?.billingEmail,
        ...Object.values(metadata),
      ),
      ids: [id, checkoutId, customerId, ...nonEmpty(payment?.id)],
      hints: { customer_id: [customerId], email },
    }
  },
  // Events carry no personal data: of the details only that there are some.
  isPartial: ({ billingDetails }) => billingDetails !== undefined && isWithoutDetails(billingDetails),
})
