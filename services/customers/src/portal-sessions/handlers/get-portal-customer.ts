import { hashLinkToken } from '@storekeep/common/crypto'
import { requireStore } from '@storekeep/common/grpc'
import type { AppContext, CustomersHandlers } from '../../context.ts'
import { customerToProto } from '../../customers/mappers.ts'
import { findPortalSessionBySecret } from '../db/portal-session-repository.ts'
import { portalSessionToProto } from '../mappers.ts'
import { createPortalSessionCheck } from '../steps/check-portal-session.ts'

export function getPortalCustomer(ctx: AppContext): CustomersHandlers['getPortalCustomer'] {
  const requireLive = createPortalSessionCheck(ctx)
  return async ({ secret }, call) => {
    const found = await findPortalSessionBySecret(ctx.database, requireStore(call), hashLinkToken(secret))
    const { session, customer } = await requireLive(found)
    return {
      portalSession: portalSessionToProto(session),
      customer: { ...customerToProto(customer), metadata: {} },
    }
  }
}
