import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import { write } from '@storekeep/common/write'
import type { AppContext, CheckoutHandlers } from '../../context.ts'
import { updateSession } from '../db/session-writer.ts'
import { extendedSessionMs } from '../domain/checkout-session.ts'
import { publishSession } from '../events/publish.ts'
import { sessionToProto } from '../mappers.ts'
import { assertConfirmed, confirmCoupon } from '../steps/confirm-coupon.ts'
import { lockOpenSession } from '../steps/end-session.ts'

export function extendCheckoutSession(ctx: AppContext): CheckoutHandlers['extendCheckoutSession'] {
  return async (request, call) => {
    const id = requireFlakeId('checkout_id', request.checkoutId)
    // The reservation would expire with the original session.
    const confirmedId = await confirmCoupon(ctx, call, id)
    return write(ctx, call, request, async (tx) => {
      const now = ctx.clock.now()
      const row = await lockOpenSession(tx, requireStore(call), id, now)
      assertConfirmed(row, confirmedId)
      const expiresAt = new Date(row.createdAt.getTime() + extendedSessionMs)
      if (expiresAt <= row.expiresAt) return { session: sessionToProto(row, now) }
      const extended = await updateSession(tx, row, { ...row, expiresAt })
      await publishSession(tx, 'updated', extended, now, call)
      return { session: sessionToProto(extended, now) }
    })
  }
}
