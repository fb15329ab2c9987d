import { errors } from '@storekeep/common/errors'
import { type Call, requireStore } from '@storekeep/common/grpc'
import type { Transaction } from '@storekeep/common/postgres'
import type { AppContext } from '../../context.ts'
import type { SessionRow } from '../db/schema.ts'
import { endSession, lockSession, removeBoughtLines } from '../db/session-writer.ts'
import { type CheckoutPayment, paymentConflict } from '../domain/checkout-payment.ts'
import { statusAt } from '../domain/checkout-session.ts'
import { publishSession } from '../events/publish.ts'
import { sessionToProto } from '../mappers.ts'
import { assertConfirmed } from './confirm-coupon.ts'
import { releaseStock } from './release-stock.ts'

/** @throws ServiceFault `not-found`, `conflict` for a session that has ended */
export async function lockOpenSession(tx: Transaction, storeId: string, id: string, now: Date): Promise<SessionRow> {
  const row = await lock(tx, storeId, id)
  const status = statusAt(row, now)
  if (status !== 'open') throw errors.conflict(`The checkout session is ${status}.`)
  return row
}

/**
 * Completes an open session. Idempotent for the same payment.
 * @throws ServiceFault `not-found`, `conflict` (see `paymentConflict`), `service-unavailable` (see `assertConfirmed`)
 */
export async function completeOpenSession(
  ctx: AppContext,
  tx: Transaction,
  call: Call,
  { id, payment, confirmedId }: Completion,
) {
  const row = await lock(tx, requireStore(call), id)
  const now = ctx.clock.now()
  const status = statusAt(row, now)
  const conflict = paymentConflict(row, status, payment)
  if (conflict) throw conflict
  if (status === 'completed') return { session: sessionToProto(row, now) }
  assertConfirmed(row, confirmedId)
  const ended = await endSession(tx, row, 'completed', now, payment)
  await removeBoughtLines(tx, ended)
  await publishSession(tx, 'completed', ended, now, call)
  return { session: sessionToProto(ended, now) }
}

interface Completion {
  id: string
  payment: CheckoutPayment | null
  /** See `confirmCoupon`. */
  confirmedId: string | undefined
}

/**
 * Cancels an open session. Idempotent.
 * @throws ServiceFault `not-found`, `conflict` for a session that has ended otherwise
 */
export async function cancelOpenSession(ctx: AppContext, tx: Transaction, call: Call, id: string) {
  const row = await lock(tx, requireStore(call), id)
  const now = ctx.clock.now()
  const status = statusAt(row, now)
  if (status === 'canceled') return { session: sessionToProto(row, now) }
  if (status !== 'open') throw errors.conflict(`The checkout session is ${status}.`)
  await releaseStock(tx, [row])
  const ended = await endSession(tx, row, 'canceled', now)
  await publishSession(tx, 'canceled', ended, now, call)
  return { session: sessionToProto(ended, now) }
}

async function lock(tx: Transaction, storeId: string, id: string): Promise<SessionRow> {
  const row = await lockSession(tx, storeId, id)
  if (!row) throw errors.notFound('checkout session')
  return row
}
