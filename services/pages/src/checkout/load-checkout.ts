import { cellOfLinkToken } from '@storekeep/common/crypto'
import { isFault } from '@storekeep/common/errors'
import type { CheckoutSession } from '@storekeep/proto/checkout/v1/checkout_session'
import type { GetPaymentStateResponse } from '@storekeep/proto/orders/v1/payments_service'
import type { Store } from '@storekeep/proto/stores/v1/store'
import type { PagesContext } from '../context.ts'
import { countUnknownToken } from '../http/count-unknown-token.ts'
import type { PageRequest } from '../http/route.ts'

/** A session, and what became of its payments. */
export interface FoundCheckout {
  token: string
  session: CheckoutSession
  state: GetPaymentStateResponse
}

/** What a checkout page shows. */
export interface Checkout extends FoundCheckout {
  store: Store
}

/** Whether the checkout needs no payment method. A subscription needs one for its renewals. */
export function isFree({ session }: Pick<Checkout, 'session'>): boolean {
  return session.totalAmount === 0n && !session.subscription
}

/** The checkout of the token in the query with its store. See `findCheckout`. */
export async function loadCheckout(ctx: PagesContext, request: PageRequest): Promise<Checkout | undefined> {
  const found = await findCheckout(ctx, request)
  if (found === undefined) return undefined
  const { store } = await ctx.stores.getStore({}, request.call(found.session.storeId))
  if (!store) throw new Error('GetStore returned no store')
  return { ...found, store }
}

/**
 * Finds the checkout of the token in the query, once it is its turn. Unknown tokens are throttled per address.
 * @returns undefined for an unknown token
 * @throws ServiceFault `service-unavailable` when too many requests wait for their turn
 */
export async function findCheckout(ctx: PagesContext, request: PageRequest): Promise<FoundCheckout | undefined> {
  const token = request.query.get('t') ?? ''
  const cell = cellOfLinkToken(token)
  if (cell === undefined) return undefined
  return ctx.checkoutTurns.take(token, request.signal, () => find(ctx, request, token, cell))
}

async function find(
  ctx: PagesContext,
  request: PageRequest,
  token: string,
  cell: number,
): Promise<FoundCheckout | undefined> {
  try {
    const state = await ctx.payments.getPaymentState({ token }, { ...request.call(), cell })
    const { session } = state
    if (!session) throw new Error('GetPaymentState returned no session')
    ctx.checkoutTurns.remember(token, session)
    return { token, session, state }
  } catch (error) {
    if (!isFault(error, 'not-found')) throw error
    countUnknownToken(ctx, request.address, token)
    return undefined
  }
}
