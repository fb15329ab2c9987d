import { errors } from '@storekeep/common/errors'
import { type Call, requireStore } from '@storekeep/common/grpc'
import type { Transaction } from '@storekeep/common/postgres'
import type { AppContext } from '../../context.ts'
import { endSession, lockSession } from '../db/session-writer.ts'
import { statusAt } from '../domain/checkout-session.ts'
import { publishSession } from '../events/publish.ts'
import { sessionToProto } from '../mappers.ts'

/**
 * Ends an open session. Idempotent: a session that already has this status stays as it is.
 * @throws ServiceFault `not-found`, `conflict` for a session that has ended with another status
 */
export async function endOpenSession(
  ctx: AppContext,
  tx: Transaction,
  call: Call,
  id: string,
  status: 'completed' | 'canceled',
) {
  const row = await lockSession(tx, requireStore(call), id)
  if (!row) throw errors.notFound('checkout session')
  const now = ctx.clock.now()
  const before = statusAt(row, now)
  if (before === status) return { session: sessionToProto(row, now) }
  if (before !== 'open') throw errors.conflict(`The checkout session is ${before}.`)
  const ended = await endSession(tx, row, status, now)
  await publishSession(tx, status, ended, now, call)
  return { session: sessionToProto(ended, now) }
}
