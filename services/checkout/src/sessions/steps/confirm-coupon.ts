import { errors } from '@storekeep/common/errors'
import { type Call, requireStore } from '@storekeep/common/grpc'
import type { AppContext } from '../../context.ts'
import { statusAt } from '../domain/checkout-session.ts'
import { requireSession } from './find-session.ts'

/**
 * Makes the coupon reservation of an open session final, before the session is completed or extended. If the session ends
 * otherwise, its end releases the redemption. Does nothing for a session that has ended.
 * @throws ServiceFault `not-found`, `conflict` if the coupon is used up, `service-unavailable`
 */
export async function confirmCoupon(ctx: AppContext, call: Call, id: string): Promise<void> {
  const findOpen = async () => {
    const session = await requireSession(ctx, requireStore(call), id)
    return statusAt(session, ctx.clock.now()) === 'open' ? session : undefined
  }
  const session = await findOpen()
  const lacksRedemption = session?.couponId && !(await ctx.coupons.confirm(id, call))
  // A session that has ended in the meantime has released its redemption; report that it has ended.
  if (lacksRedemption && (await findOpen()))
    throw errors.conflict('The coupon of the checkout session can no longer be redeemed.')
}
