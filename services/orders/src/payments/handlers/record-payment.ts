import { requireFlakeId } from '@storekeep/common/flake'
import { onBehalfOf, requireStore } from '@storekeep/common/grpc'
import { actorText } from '@storekeep/common/message'
import type { AppContext, PaymentHandlers } from '../../context.ts'
import { selectPayments } from '../db/payment-repository.ts'
import { findSettings } from '../db/settings-repository.ts'
import { paymentToProto } from '../mappers.ts'
import { createPayment } from '../steps/create-payment.ts'
import { originOf } from '../steps/origin.ts'
import { reportPayment } from '../steps/report-payment.ts'

/** The steps of a shopper who pays manually and of the staff that marks the payment as paid, in one call. */
export function recordPayment(ctx: AppContext): PaymentHandlers['recordPayment'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const id = requireFlakeId('checkout_id', request.checkoutId)
    const payments = await selectPayments(ctx.database, storeId, id)
    const recorded = payments.find(({ provider, settlement }) => {
      const isReceived = settlement === 'pending' || settlement === 'completed'
      return isReceived && (provider === 'manual' || provider === 'free')
    })
    if (recorded) return { payment: paymentToProto(recorded) }
    const named = { session: { case: 'checkoutId' as const, value: id } }
    const session = await ctx.sessions.prepare(named, onBehalfOf(call))
    const settings = await findSettings(ctx.database, ctx.secrets, storeId)
    const provider = session.totalAmount === 0n ? 'free' : 'manual'
    const noPages = { successUrl: '', cancelUrl: '' }
    const payment = await createPayment(ctx, { session, provider, ...noPages }, settings, originOf(call))
    const report = { status: 'succeeded', markedPaidBy: actorText(call.actor) } as const
    return { payment: paymentToProto(await reportPayment(ctx, payment, report, originOf(call))) }
  }
}
