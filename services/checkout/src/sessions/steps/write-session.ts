import { createLinkToken, hashLinkToken } from '@storekeep/common/crypto'
import { errors } from '@storekeep/common/errors'
import { cellOf } from '@storekeep/common/flake'
import type { Call } from '@storekeep/common/grpc'
import { actorText } from '@storekeep/common/message'
import type { Transaction } from '@storekeep/common/postgres'
import type { AppContext } from '../../context.ts'
import { settleReservation } from '../db/coupon-reservation-repository.ts'
import { insertSession } from '../db/session-writer.ts'
import type { CheckoutSession } from '../domain/checkout-session.ts'
import { publishSession } from '../events/publish.ts'

/**
 * Settles the reservation and writes the session and its event, all in one transaction.
 * @returns the response, which holds the only copy of the token in plain text
 * @throws ServiceFault `service-unavailable` if the reservation has been released
 */
export async function writeSession(ctx: AppContext, tx: Transaction, call: Call, given: SessionToWrite) {
  const { session, needsReservation, now } = given
  const { storeId, id: checkoutId } = session
  if (needsReservation && !(await settleReservation(tx, { storeId, checkoutId }))) {
    throw errors.unavailable(new Error('the reservation was released in the meantime'))
  }
  const token = createLinkToken(ctx.randomBytes, cellOf(storeId))
  const creation = { tokenHash: hashLinkToken(token), createdBy: actorText(call.actor), createdAt: now }
  const row = insertSession(tx, { ...session, ...creation })
  await publishSession(tx, 'created', row, now, call)
  return { session: { id: row.id }, token, url: `${ctx.checkoutBaseUrl}/?t=${token}` }
}

interface SessionToWrite {
  session: Omit<CheckoutSession, 'status'>
  needsReservation: boolean
  now: Date
}
