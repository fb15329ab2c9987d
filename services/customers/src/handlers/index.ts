import type { AppContext, CustomersHandlers } from '../context.ts'
import { batchGetCustomerNames } from './batch-get-customer-names.ts'
import { bulkCreateCustomers } from './bulk-create-customers.ts'
import { createCustomer } from './create-customer.ts'
import { createPortalSession } from './create-portal-session.ts'
import { exchangePortalToken } from './exchange-portal-token.ts'
import { findOrCreateCustomer } from './find-or-create-customer.ts'
import { getCustomer } from './get-customer.ts'
import { getPortalCustomer } from './get-portal-customer.ts'
import { getSignInKey } from './get-sign-in-key.ts'
import { listCustomers } from './list-customers.ts'
import { lookupCustomer } from './lookup-customer.ts'
import { mintToken } from './mint-token.ts'
import { revokeStoreTokens } from './revoke-store-tokens.ts'
import { revokeTokens } from './revoke-tokens.ts'
import { signIn } from './sign-in.ts'
import { signOutOfPortal } from './sign-out-of-portal.ts'
import { updateCustomer } from './update-customer.ts'
import { verifyToken } from './verify-token.ts'

export function createHandlers(ctx: AppContext): CustomersHandlers {
  return {
    createCustomer: createCustomer(ctx),
    bulkCreateCustomers: bulkCreateCustomers(ctx),
    getCustomer: getCustomer(ctx),
    batchGetCustomerNames: batchGetCustomerNames(ctx),
    listCustomers: listCustomers(ctx),
    updateCustomer: updateCustomer(ctx),
    lookupCustomer: lookupCustomer(ctx),
    findOrCreateCustomer: findOrCreateCustomer(ctx),
    mintToken: mintToken(ctx),
    revokeTokens: revokeTokens(ctx),
    revokeStoreTokens: revokeStoreTokens(ctx),
    verifyToken: verifyToken(ctx),
    signIn: signIn(ctx),
    getSignInKey: getSignInKey(ctx),
    createPortalSession: createPortalSession(ctx),
    exchangePortalToken: exchangePortalToken(ctx),
    getPortalCustomer: getPortalCustomer(ctx),
    signOutOfPortal: signOutOfPortal(ctx),
  }
}
