import { errors } from '@storekeep/common/errors'
import { requireFlakeId } from '@storekeep/common/flake'
import { onBehalfOf, requireStore } from '@storekeep/common/grpc'
import { actorText } from '@storekeep/common/message'
import { CheckoutSessionStatus } from '@storekeep/proto/checkout/v1/checkout_session'
import type { AppContext, PaymentHandlers } from '../context.ts'
import { findPayment } from '../db/payment-repository.ts'
import { paymentToProto } from '../mappers.ts'
import { originOf } from '../steps/origin.ts'
import { reportPayment } from '../steps/report-payment.ts'

export function markPaymentPaid(ctx: AppContext): PaymentHandlers['markPaymentPaid'] {
  return async (request, call) => {
    const key = { storeId: requireStore(call), id: requireFlakeId('payment_id', request.paymentId) }
    const payment = await findPayment(ctx.database, key)
    if (!payment) throw errors.notFound('payment')
    if (payment.provider !== 'manual') throw errors.conflict('Only manual payments can be marked as paid.')
    if (payment.status === 'succeeded') return { payment: paymentToProto(payment) }
    if (payment.status !== 'processing') throw errors.conflict(`The payment is ${payment.status}.`)
    // Otherwise the store would have to return the money at once.
    const session = await ctx.sessions.get(payment.checkoutId, onBehalfOf(call))
    if (session.status !== CheckoutSessionStatus.OPEN)
      throw errors.conflict('The checkout session can no longer be paid.')
    const report = { status: 'succeeded', markedPaidBy: actorText(call.actor) } as const
    return { payment: paymentToProto(await reportPayment(ctx, key, report, originOf(call))) }
  }
}
