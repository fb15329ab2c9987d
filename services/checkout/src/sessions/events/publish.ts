import { type Cause, defineAggregate } from '@storekeep/common/events'
import type { Transaction } from '@storekeep/common/postgres'
import {
  CheckoutSessionCanceledSchema,
  CheckoutSessionCompletedSchema,
  CheckoutSessionCreatedSchema,
  CheckoutSessionExpiredSchema,
  CheckoutSessionUpdatedSchema,
} from '@storekeep/proto/checkout/v1/events'
import type { SessionRow } from '../db/schema.ts'
import type { CustomerDetails } from '../domain/checkout-session.ts'
import { sessionToProto } from '../mappers.ts'

const session = defineAggregate('checkout', 'checkout_session')

/**
 * Every event carries the session after the change, but never its token, and of the buyer's details only whether there are any:
 * events are kept in the outbox and the stream, where personal data cannot be deleted one by one. A consumer that needs the
 * details reads the session from this service.
 */
export async function publishSession(
  tx: Transaction,
  verb: keyof typeof schemas,
  row: SessionRow,
  now: Date,
  cause: Cause,
): Promise<void> {
  const customerDetails = row.customerDetails && noDetails
  const message = { session: sessionToProto({ ...row, customerDetails }, now) }
  await session.publish(tx, row, cause, { verb, schema: schemas[verb], message })
}

const noDetails: CustomerDetails = { billingName: null, billingEmail: null, billingTaxId: null, billingAddress: null }

const schemas = {
  created: CheckoutSessionCreatedSchema,
  updated: CheckoutSessionUpdatedSchema,
  completed: CheckoutSessionCompletedSchema,
  canceled: CheckoutSessionCanceledSchema,
  expired: CheckoutSessionExpiredSchema,
} as const
