import { createLinkToken, hashLinkToken } from '@storekeep/common/crypto'
import { errors } from '@storekeep/common/errors'
import { write } from '@storekeep/common/write'
import type { AppContext, CustomersHandlers } from '../../context.ts'
import { findPortalSessionByToken, setPortalSecret } from '../db/portal-session-repository.ts'
import { portalSessionToProto } from '../mappers.ts'
import { createPortalSessionCheck } from '../steps/check-portal-session.ts'

/** Publishes no event: nothing changes in the session's public state. */
export function exchangePortalToken(ctx: AppContext): CustomersHandlers['exchangePortalToken'] {
  const requireLive = createPortalSessionCheck(ctx)
  return async (request, call) => {
    const { session } = await requireLive(await findPortalSessionByToken(ctx.database, hashLinkToken(request.token)))
    return write(ctx, call, request, async (tx) => {
      const secret = createLinkToken(ctx.randomBytes)
      if (!(await setPortalSecret(tx, session, hashLinkToken(secret)))) throw errors.unauthorized()
      return { secret, portalSession: portalSessionToProto(session) }
    })
  }
}
