import { timestampDate } from '@bufbuild/protobuf/wkt'
import {
  type CheckoutSession,
  CheckoutSessionSchema,
  CheckoutSessionStatus,
} from '@storekeep/proto/checkout/v1/checkout_session'
import {
  CheckoutSessionCanceledSchema,
  CheckoutSessionCompletedSchema,
  CheckoutSessionCreatedSchema,
  CheckoutSessionExpiredSchema,
} from '@storekeep/proto/checkout/v1/events'
import { given } from './given.ts'
import { defineKind } from './kind.ts'

export const checkoutSessionKind = defineKind({
  type: 'checkout_session',
  owner: 'checkout',
  schema: CheckoutSessionSchema,
  changes: [
    CheckoutSessionCreatedSchema,
    CheckoutSessionCompletedSchema,
    CheckoutSessionCanceledSchema,
    CheckoutSessionExpiredSchema,
  ],
  deletions: [],
  inEvent: 'session',
  describe: ({ id, customerId, metadata, customerDetails }) => ({
    texts: Object.values(metadata),
    ids: [id, customerId],
    hints: { customer_id: [customerId], email: given(customerDetails?.billingEmail) },
  }),
  // It expires by itself; the event that tells so comes later.
  refresh: (session, now) => (isOver(session, now) ? { ...session, status: CheckoutSessionStatus.EXPIRED } : session),
})

function isOver({ status, expiresAt }: CheckoutSession, now: Date): boolean {
  return status === CheckoutSessionStatus.OPEN && expiresAt !== undefined && timestampDate(expiresAt) <= now
}
