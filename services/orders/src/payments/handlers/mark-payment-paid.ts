import { errors } from '@storekeep/common/errors'
import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import { actorText } from '@storekeep/common/message'
import type { AppContext, PaymentHandlers } from '../../context.ts'
import { advance } from '../../steps/advance.ts'
import { originOf } from '../../steps/origin.ts'
import { findPayment } from '../db/payment-repository.ts'
import { paymentToProto } from '../mappers.ts'
import { reportPayment } from '../steps/report-payment.ts'

/** Money that arrives after the session has ended is recorded, too: the settlement decides that it is refunded. */
export function markPaymentPaid(ctx: AppContext): PaymentHandlers['markPaymentPaid'] {
  return async (request, call) => {
    const key = { storeId: requireStore(call), id: requireFlakeId('payment_id', request.paymentId) }
    const payment = await findPayment(ctx.database, key)
    if (!payment) throw errors.notFound('payment')
    if (payment.provider !== 'manual') throw errors.conflict('Only manual payments can be marked as paid.')
    if (payment.status === 'succeeded') return { payment: paymentToProto(payment) }
    if (payment.status !== 'processing' && payment.status !== 'canceled') {
      throw errors.conflict(`The payment is ${payment.status}.`)
    }
    const reported = await reportPayment(ctx, key, { status: 'succeeded', markedPaidBy: actorText(call.actor) })
    const after = await advance(ctx, { payment: reported }, originOf(call))
    return { payment: paymentToProto(after.payment) }
  }
}
