import {
  SubscriptionCanceledSchema,
  SubscriptionCreatedSchema,
  SubscriptionRenewedSchema,
  SubscriptionUpdatedSchema,
} from '@storekeep/proto/orders/v1/events'
import { SubscriptionSchema } from '@storekeep/proto/orders/v1/subscription'
import { nonEmpty } from './non-empty.ts'
import { defineRecordType } from './record-type.ts'

export const subscriptionType = defineRecordType({
  type: 'subscription',
  owner: 'orders',
  schema: SubscriptionSchema,
  changes: [
    SubscriptionCreatedSchema,
    SubscriptionRenewedSchema,
    SubscriptionUpdatedSchema,
    SubscriptionCanceledSchema,
  ],
  deletions: [],
  eventField: 'subscription',
  describe: ({ id, customerId, checkoutId, providerReference }) => ({
    // Products are no part of it: a popular one would hide everything else, as with delivery items.
    texts: nonEmpty(providerReference),
    ids: [id, customerId, checkoutId],
    hints: { customer_id: [customerId] },
  }),
})
