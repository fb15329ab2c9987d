import { type Cause, defineAggregate } from '@storekeep/common/events'
import type { Transaction } from '@storekeep/common/postgres'
import {
  CheckoutSessionCanceledSchema,
  CheckoutSessionCompletedSchema,
  CheckoutSessionCreatedSchema,
  CheckoutSessionExpiredSchema,
} from '@storekeep/proto/checkout/v1/events'
import type { SessionRow } from '../db/schema.ts'
import { sessionToProto } from '../mappers.ts'

const session = defineAggregate('checkout', 'checkout_session')

/** Every event carries the whole session after the change, but never its token. */
export async function publishSession(
  tx: Transaction,
  verb: keyof typeof schemas,
  row: SessionRow,
  now: Date,
  cause: Cause,
): Promise<void> {
  const message = { session: sessionToProto(row, now) }
  await session.publish(tx, row, cause, { verb, schema: schemas[verb], message })
}

const schemas = {
  created: CheckoutSessionCreatedSchema,
  completed: CheckoutSessionCompletedSchema,
  canceled: CheckoutSessionCanceledSchema,
  expired: CheckoutSessionExpiredSchema,
} as const
