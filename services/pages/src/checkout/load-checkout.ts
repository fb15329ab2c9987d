import { cellOfLinkToken } from '@storekeep/common/crypto'
import { isFault } from '@storekeep/common/errors'
import type { CheckoutSession } from '@storekeep/proto/checkout/v1/checkout_session'
import type { GetPaymentStateResponse } from '@storekeep/proto/orders/v1/payments_service'
import type { Store } from '@storekeep/proto/stores/v1/store'
import type { PagesContext } from '../context.ts'
import { countUnknownToken } from '../http/count-unknown-token.ts'
import type { PageRequest } from '../http/route.ts'

/** What a checkout page shows. */
export interface Checkout {
  token: string
  session: CheckoutSession
  store: Store
  state: GetPaymentStateResponse
}

/** Whether the checkout needs no payment method. A subscription needs one for its renewals. */
export function isFree({ session }: Pick<Checkout, 'session'>): boolean {
  return session.totalAmount === 0n && !session.subscription
}

/**
 * Finds the checkout of the token in the query, once it is its turn. Unknown tokens are throttled per address.
 * @returns undefined for an unknown token
 * @throws ServiceFault `service-unavailable` when too many requests wait for their turn
 */
export async function loadCheckout(ctx: PagesContext, request: PageRequest): Promise<Checkout | undefined> {
  const token = request.query.get('t') ?? ''
  const cell = cellOfLinkToken(token)
  if (cell === undefined) return undefined
  return ctx.checkoutTurns.take(token, request.signal, () => load(ctx, request, token, cell))
}

async function load(
  ctx: PagesContext,
  request: PageRequest,
  token: string,
  cell: number,
): Promise<Checkout | undefined> {
  const session = await findSession(ctx, request, token, cell)
  if (session === undefined) return undefined
  ctx.checkoutTurns.remember(token, session)
  const call = request.call(session.storeId)
  const [{ store }, state] = await Promise.all([
    ctx.stores.getStore({}, call),
    ctx.payments.getPaymentState({ token }, call),
  ])
  if (!store) throw new Error('GetStore returned no store')
  return { token, session, store, state }
}

async function findSession(ctx: PagesContext, { address, call }: PageRequest, token: string, cell: number) {
  try {
    const { session } = await ctx.checkout.getCheckoutByToken({ token }, { ...call(), cell })
    return session
  } catch (error) {
    if (!isFault(error, 'not-found')) throw error
    countUnknownToken(ctx, address, token)
    return undefined
  }
}
