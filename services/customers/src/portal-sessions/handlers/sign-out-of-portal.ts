import { hashLinkToken } from '@storekeep/common/crypto'
import { errors } from '@storekeep/common/errors'
import { requireStore } from '@storekeep/common/grpc'
import { write } from '@storekeep/common/write'
import type { AppContext, CustomersHandlers } from '../../context.ts'
import { publishCustomerTokensRevoked } from '../../customers/events/publish.ts'
import { raiseCustomerEpoch } from '../../tokens/db/token-epoch-repository.ts'
import { endPortalSession, findPortalSessionBySecret } from '../db/portal-session-repository.ts'
import { createPortalSessionCheck } from '../steps/check-portal-session.ts'

export function signOutOfPortal(ctx: AppContext): CustomersHandlers['signOutOfPortal'] {
  const requireLive = createPortalSessionCheck(ctx)
  return async (request, call) => {
    const storeId = requireStore(call)
    const found = await findPortalSessionBySecret(ctx.database, storeId, hashLinkToken(request.secret))
    const { session } = await requireLive(found)
    let raised: number | undefined
    const response = await write(ctx, call, request, async (tx) => {
      await endPortalSession(tx, session, ctx.clock.now())
      if (!request.everywhere) return {}
      const row = await raiseCustomerEpoch(tx, storeId, session.customerId)
      if (!row) throw errors.internal(new Error('the customer of a portal session was not found'))
      await publishCustomerTokensRevoked(tx, row, call)
      raised = row.tokenEpoch
      return {}
    })
    // As in RevokeTokens: gateways are notified before the response is sent, if Redis is up.
    if (raised !== undefined) await ctx.minimumEpochs.raiseCustomer(storeId, session.customerId, raised)
    return response
  }
}
