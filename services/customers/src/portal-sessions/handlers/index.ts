import type { AppContext, CustomersHandlers } from '../../context.ts'
import { createPortalSession } from './create-portal-session.ts'
import { exchangePortalToken } from './exchange-portal-token.ts'
import { getPortalCustomer } from './get-portal-customer.ts'
import { signOutOfPortal } from './sign-out-of-portal.ts'

export function createPortalSessionHandlers(ctx: AppContext) {
  return {
    createPortalSession: createPortalSession(ctx),
    exchangePortalToken: exchangePortalToken(ctx),
    getPortalCustomer: getPortalCustomer(ctx),
    signOutOfPortal: signOutOfPortal(ctx),
  } satisfies Partial<CustomersHandlers>
}
