import { errors, isFault, ServiceFault } from '@storekeep/common/errors'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import type { Customer } from '@storekeep/proto/customers/v1/customer'
import type { Store } from '@storekeep/proto/stores/v1/store'
import type { PagesContext } from '../context.ts'
import { countUnknownToken } from '../http/count-unknown-token.ts'
import type { PageRequest } from '../http/route.ts'
import { findStore } from './catalog.ts'
import { readShopperCookie } from './shopper-cookie.ts'

/** The store of the path. Afterwards it is the store of the calls of the request. @throws ServiceFault `not-found` unless its page is open */
export async function loadStore(ctx: PagesContext, request: PageRequest): Promise<Store> {
  const { slug = '' } = request.params
  const store = slugPattern.test(slug) ? await findStore(ctx, request, slug) : undefined
  if (!store?.storePageEnabled) throw errors.notFound('store')
  request.storeId = store.id
  return store
}

const slugPattern = /^[a-z0-9-]{1,64}$/

/** A signed-in customer. */
export interface Shopper {
  customer: Customer
  /** Of the session, for its limits. */
  token: string
}

/** The signed-in customer, who then is the actor of the calls of the request. @returns undefined for anyone else */
export async function loadShopper(
  ctx: PagesContext,
  request: PageRequest,
  { id }: Store,
): Promise<Shopper | undefined> {
  const token = readShopperCookie(request.req, id)
  if (token === undefined) return undefined
  try {
    const { customer } = await ctx.customers.verifyToken({ token }, request.callOptions())
    if (!customer) throw new Error('VerifyToken returned no customer')
    request.actor = { type: ActorType.CUSTOMER, id: customer.id }
    return { customer, token }
  } catch (error) {
    if (!isFault(error, 'unauthorized', 'forbidden')) throw error
    countUnknownToken(ctx, request.address, token)
    return undefined
  }
}

/** As `loadShopper`, for pages that everyone may see: they do not wait for the name of the shopper when it cannot be had. */
export async function loadShopperForCatalog(
  ctx: PagesContext,
  request: PageRequest,
  store: Store,
): Promise<Shopper | undefined> {
  try {
    return await loadShopper(ctx, request, store)
  } catch (error) {
    if (error instanceof ServiceFault) return undefined
    throw error
  }
}
