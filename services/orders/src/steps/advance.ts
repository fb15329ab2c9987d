import type { AppContext } from '../context.ts'
import { extendSession } from '../payments/steps/extend-session.ts'
import { reportRefund } from '../refunds/steps/report-refund.ts'
import type { PaymentWork } from '../refunds/steps/request-refund.ts'
import type { Origin } from './origin.ts'
import { settle } from './settle.ts'

/**
 * Does what the state of a payment requires: settles a success, extends the session of a payment that is processing, and makes a
 * refund that was requested. Handlers and the task call it after they have stored what was reported; the actions do not call each
 * other. Never throws, because the state is stored: the task retries.
 * @returns the payment and the refund as they are now
 */
export async function advance(ctx: AppContext, work: PaymentWork, origin: Origin): Promise<PaymentWork> {
  let { payment, refund } = work
  try {
    if (payment.settlement === 'pending') ({ payment, refund } = await settle(ctx, payment, origin))
    if (payment.status === 'processing' && !payment.extended) payment = await extendSession(ctx, payment, origin)
    if (refund?.status === 'pending') {
      const { providers } = await ctx.providers.forStore(payment.storeId)
      const report = await providers[payment.provider].refund(payment, refund)
      ;({ payment, refund } = await reportRefund(ctx, payment, refund.id, report, origin))
    }
  } catch (error) {
    const fields = { store_id: payment.storeId, payment_id: payment.id, refund_id: refund?.id }
    const failed = payment.status === 'processing' ? 'checkout session extension failed' : 'payment settlement failed'
    ctx.log.warn({ err: error, ...fields }, `${refund ? 'refund failed' : failed}: retrying`)
  }
  return { payment, refund }
}
