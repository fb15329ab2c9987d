import { errors } from '@storekeep/common/errors'
import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import { write } from '@storekeep/common/write'
import type { AppContext, CheckoutHandlers } from '../../context.ts'
import { findSession } from '../db/session-repository.ts'
import { statusAt } from '../domain/checkout-session.ts'
import { endOpenSession } from '../steps/end-session.ts'

export function completeCheckoutSession(ctx: AppContext): CheckoutHandlers['completeCheckoutSession'] {
  return async (request, call) => {
    const id = requireFlakeId('checkout_id', request.checkoutId)
    const findOpen = async () => {
      const session = await findSession(ctx.database, requireStore(call), id)
      if (!session) throw errors.notFound('checkout session')
      return statusAt(session, ctx.clock.now()) === 'open' ? session : undefined
    }
    const session = await findOpen()
    // Confirmed first, so that every completed session has a confirmed redemption. If the session does not complete
    // after all, its end releases the redemption.
    const lacksRedemption = session?.couponId && !(await ctx.coupons.confirm(id, call))
    // A session that has ended in the meantime has released its redemption; report that it has ended.
    if (lacksRedemption && (await findOpen()))
      throw errors.conflict('The coupon of the checkout session can no longer be redeemed.')
    return write(ctx, call, request, (tx) => endOpenSession(ctx, tx, call, id, 'completed'))
  }
}
