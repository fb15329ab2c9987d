import { errors } from '@storekeep/common/errors'
import { type Call, requireStore } from '@storekeep/common/grpc'
import type { AppContext } from '../../context.ts'
import type { SessionRow } from '../db/schema.ts'
import { redemptionOf, statusAt } from '../domain/checkout-session.ts'
import { requireSession } from './find-session.ts'

/**
 * Makes the coupon reservation of an open session final, before the session is completed or extended. If the session ends
 * otherwise, its end releases the redemption. Does nothing for a session that has ended.
 * @returns the redemption that is final, for `assertConfirmed`; undefined if there is none
 * @throws ServiceFault `not-found`, `conflict` if the coupon is used up, `service-unavailable`
 */
export async function confirmCoupon(ctx: AppContext, call: Call, id: string): Promise<string | undefined> {
  const findOpen = async () => {
    const session = await requireSession(ctx, requireStore(call), id)
    return statusAt(session, ctx.clock.now()) === 'open' ? session : undefined
  }
  const session = await findOpen()
  const redemptionId = session && redemptionOf(session)
  if (redemptionId === undefined || (await ctx.coupons.confirm(redemptionId, call))) return redemptionId
  // If the session has ended or changed its coupon in the meantime, it has released its redemption; report that instead.
  const now = await findOpen()
  if (now && redemptionOf(now) === redemptionId)
    throw errors.conflict('The coupon of the checkout session can no longer be redeemed.')
  return undefined
}

/**
 * Asserts that the coupon of a session was not changed between `confirmCoupon` and the transaction that has locked the session.
 * @throws ServiceFault `service-unavailable`: a retry confirms the new coupon
 */
export function assertConfirmed(session: SessionRow, confirmedId: string | undefined): void {
  const redemptionId = redemptionOf(session)
  if (redemptionId !== undefined && redemptionId !== confirmedId) {
    throw errors.unavailable(new Error('the coupon of the session was changed in the meantime'))
  }
}
