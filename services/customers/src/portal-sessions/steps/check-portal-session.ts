import { errors } from '@storekeep/common/errors'
import type { AppContext } from '../../context.ts'
import type { CustomerRow } from '../../customers/db/schema.ts'
import { createCustomerWithEpochsFinder } from '../../tokens/db/token-epoch-repository.ts'
import type { PortalSessionRow } from '../db/schema.ts'
import { isLive } from '../domain/portal-session.ts'

/**
 * Creates the check of a portal session that was read before: only in this order does a revocation that has returned always take
 * effect.
 */
export function createPortalSessionCheck(ctx: AppContext) {
  const findCustomer = createCustomerWithEpochsFinder(ctx.database)
  return async (session: PortalSessionRow | undefined): Promise<LivePortalSession> => {
    const customer = session && (await findCustomer(session.storeId, session.customerId))
    if (!customer || !isLive(session, customer, ctx.clock.now())) throw errors.unauthorized()
    return { session, customer }
  }
}

interface LivePortalSession {
  session: PortalSessionRow
  customer: CustomerRow
}
