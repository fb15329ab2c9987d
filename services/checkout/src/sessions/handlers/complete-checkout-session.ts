import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import { write } from '@storekeep/common/write'
import type { AppContext, CheckoutHandlers } from '../../context.ts'
import { checkPayment, paymentConflict } from '../domain/checkout-payment.ts'
import { statusAt } from '../domain/checkout-session.ts'
import { paymentFromProto } from '../mappers.ts'
import { confirmCoupon } from '../steps/confirm-coupon.ts'
import { completeOpenSession } from '../steps/end-session.ts'
import { requireSession } from '../steps/find-session.ts'

export function completeCheckoutSession(ctx: AppContext): CheckoutHandlers['completeCheckoutSession'] {
  return async (request, call) => {
    const id = requireFlakeId('checkout_id', request.checkoutId)
    const payment = checkPayment(paymentFromProto(request.payment))
    const session = await requireSession(ctx, requireStore(call), id)
    const conflict = paymentConflict(session, statusAt(session, ctx.clock.now()), payment)
    if (conflict) throw conflict
    // Confirmed first, so that every completed session has a confirmed redemption.
    const confirmedId = await confirmCoupon(ctx, call, id)
    return write(ctx, call, request, (tx) => completeOpenSession(ctx, tx, call, { id, payment, confirmedId }))
  }
}
