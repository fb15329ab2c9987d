import type { AppContext } from '../../context.ts'
import type { Origin } from '../../steps/origin.ts'
import { reportRefund } from './report-refund.ts'
import type { RefundedPayment } from './request-refund.ts'

/**
 * Makes a requested refund at its provider, or reads its state if it was made before.
 * @throws ServiceFault `service-unavailable`
 */
export async function makeRefund(
  ctx: AppContext,
  { payment, refund }: RefundedPayment,
  origin: Origin,
): Promise<RefundedPayment> {
  const { providers } = await ctx.providers.forStore(payment.storeId)
  const report = await providers[payment.provider].refund(payment, refund)
  return await reportRefund(ctx, payment, refund.id, report, origin)
}
