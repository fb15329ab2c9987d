import { requireFlakeId } from '@storekeep/common/flake'
import { onBehalfOf, requireStore } from '@storekeep/common/grpc'
import { actorText } from '@storekeep/common/message'
import type { AppContext, PaymentHandlers } from '../../context.ts'
import { advance } from '../../steps/advance.ts'
import { originOf } from '../../steps/origin.ts'
import { renewalTermsOf } from '../../subscriptions/mappers.ts'
import { selectPayments } from '../db/payment-repository.ts'
import { paymentToProto } from '../mappers.ts'
import { createPayment } from '../steps/create-payment.ts'
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
    const { providers } = await ctx.providers.forStore(storeId)
    const provider = session.totalAmount === 0n ? 'free' : 'manual'
    const noPages = { successUrl: '', cancelUrl: '', locale: null }
    const given = { session, provider, renewalTerms: renewalTermsOf(session), ...noPages } as const
    const created = await createPayment(ctx, providers, given)
    const reported = await reportPayment(ctx, created, { status: 'succeeded', markedPaidBy: actorText(call.actor) })
    const after = await advance(ctx, { payment: reported }, originOf(call))
    return { payment: paymentToProto(after.payment) }
  }
}
