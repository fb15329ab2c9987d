import { isFault } from '@storekeep/common/errors'
import type { CallOptions } from '@storekeep/common/grpc'
import type { Customer, PortalSession } from '@storekeep/proto/customers/v1/customer'
import type { Store } from '@storekeep/proto/stores/v1/store'
import type { PagesContext } from '../context.ts'
import { countUnknownToken } from '../http/count-unknown-token.ts'
import type { PageRequest } from '../http/route.ts'
import { type PortalKey, readPortalCookie } from './portal-cookie.ts'

/** A signed-in customer. */
export interface Portal {
  key: PortalKey
  session: PortalSession
  customer: Customer
  store: Store
  /** Options for calls, which prove the customer by the secret of the session. */
  call: CallOptions
}

/** @returns undefined without a cookie, and once the session has expired or was revoked */
export async function loadPortal(ctx: PagesContext, request: PageRequest): Promise<Portal | undefined> {
  const key = readPortalCookie(request.req)
  if (key === undefined) return undefined
  const { storeId, secret } = key
  const anonymous = request.call(storeId)
  const [found, { store }] = await Promise.all([
    ctx.customers.getPortalCustomer({ secret }, anonymous).catch(undefinedIfUnauthorized),
    ctx.stores.getStore({}, anonymous),
  ])
  if (!found?.portalSession || !found.customer) {
    countUnknownToken(ctx, request.address, secret)
    return undefined
  }
  if (!store) throw new Error('GetStore returned no store')
  const { portalSession: session, customer } = found
  return { key, session, customer, store, call: anonymous }
}

export function undefinedIfUnauthorized(error: unknown): undefined {
  if (isFault(error, 'unauthorized')) return undefined
  throw error
}
