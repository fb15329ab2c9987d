import { hashLinkToken } from '@storekeep/common/crypto'
import { errors } from '@storekeep/common/errors'
import type { AppContext } from '../../context.ts'
import type { SessionRow } from '../db/schema.ts'
import { findSession, findSessionByToken } from '../db/session-repository.ts'

/** @throws ServiceFault `not-found` */
export async function requireSession(ctx: AppContext, storeId: string, id: string): Promise<SessionRow> {
  const session = await findSession(ctx.database, storeId, id)
  if (!session) throw errors.notFound('checkout session')
  return session
}

/**
 * @param storeId the store that the session must belong to; undefined for any
 * @throws ServiceFault `not-found`, also for a text that cannot be a token
 */
export async function requireSessionOfToken(ctx: AppContext, token: string, storeId?: string): Promise<SessionRow> {
  const session = await findSessionByToken(ctx.database, hashLinkToken(token))
  if (!session || (storeId !== undefined && session.storeId !== storeId)) throw errors.notFound('checkout session')
  return session
}
