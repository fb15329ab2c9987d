import { timestampDate } from '@bufbuild/protobuf/wkt'
import {
  type CheckoutSession,
  CheckoutSessionSchema,
  CheckoutSessionStatus,
  type CustomerDetails,
} from '@storekeep/proto/checkout/v1/checkout_session'
import {
  CheckoutSessionCanceledSchema,
  CheckoutSessionCompletedSchema,
  CheckoutSessionCreatedSchema,
  CheckoutSessionExpiredSchema,
  CheckoutSessionUpdatedSchema,
} from '@storekeep/proto/checkout/v1/events'
import { nonEmpty } from './non-empty.ts'
import { defineRecordType } from './record-type.ts'

export const checkoutSessionType = defineRecordType({
  type: 'checkout_session',
  owner: 'checkout',
  schema: CheckoutSessionSchema,
  changes: [
    CheckoutSessionCreatedSchema,
    CheckoutSessionUpdatedSchema,
    CheckoutSessionCompletedSchema,
    CheckoutSessionCanceledSchema,
    CheckoutSessionExpiredSchema,
  ],
  deletions: [],
  eventField: 'session',
  describe: ({ id, customerId, metadata, customerDetails }) => ({
    texts: Object.values(metadata),
    ids: [id, customerId],
    hints: { customer_id: [customerId], email: nonEmpty(customerDetails?.billingEmail) },
  }),
  // Events carry no personal data: of the details only that there are some.
  isPartial: ({ customerDetails }) => customerDetails !== undefined && isWithoutDetails(customerDetails),
  // The event of an expiry is published later.
  refresh: (session, now) =>
    isExpired(session, now) ? { ...session, status: CheckoutSessionStatus.EXPIRED } : session,
})

/** Events carry empty details if there are any. */
export function isWithoutDetails({
  billingName,
  billingEmail,
  billingTaxId,
  billingAddress,
}: CustomerDetails): boolean {
  return [billingName, billingEmail, billingTaxId, billingAddress].every((detail) => detail === undefined)
}

function isExpired({ status, expiresAt }: CheckoutSession, now: Date): boolean {
  return status === CheckoutSessionStatus.OPEN && expiresAt !== undefined && timestampDate(expiresAt) <= now
}
