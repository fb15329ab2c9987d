import { createLinkToken, hashLinkToken } from '@storekeep/common/crypto'
import { cellOf } from '@storekeep/common/flake'
import type { Call } from '@storekeep/common/grpc'
import { actorText } from '@storekeep/common/message'
import type { Transaction } from '@storekeep/common/postgres'
import type { AppContext } from '../../context.ts'
import { insertSession } from '../db/session-writer.ts'
import type { CheckoutSession } from '../domain/checkout-session.ts'
import { publishSession } from '../events/publish.ts'

/**
 * Writes the session and its event.
 * @returns the response, which holds the only copy of the token in plain text
 */
export async function writeSession(
  ctx: AppContext,
  tx: Transaction,
  call: Call,
  session: Omit<CheckoutSession, 'status'>,
  now: Date,
): Promise<CreatedSession> {
  const token = createLinkToken(ctx.randomBytes, cellOf(session.storeId))
  const created = { ...session, createdBy: actorText(call.actor), createdAt: now }
  const row = insertSession(tx, created, hashLinkToken(token))
  await publishSession(tx, 'created', row, now, call)
  return { session: { id: row.id }, token, url: `${ctx.checkoutBaseUrl}/?t=${token}` }
}

export interface CreatedSession {
  session: { id: string }
  token: string
  url: string
}
