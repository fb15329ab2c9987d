import type { PaymentProvider } from '../../adapters/providers/provider.ts'
import type { AppContext } from '../../context.ts'
import { setReference } from '../../payments/db/payment-repository.ts'
import type { Payment } from '../../payments/domain/payment.ts'
import type { Origin } from '../../payments/steps/origin.ts'
import { reportRefund } from './report-refund.ts'
import type { RefundedPayment } from './request-refund.ts'

/**
 * Makes a refund that was requested, at its provider, or reads the state of one that was made.
 * @throws ServiceFault `service-unavailable`
 */
export async function makeRefund(
  ctx: AppContext,
  { payment, refund }: RefundedPayment,
  origin: Origin,
): Promise<RefundedPayment> {
  const { providers } = await ctx.providers.forStore(payment.storeId)
  const provider = providers[payment.provider]
  const paymentReference = await referenceOf(ctx, provider, payment)
  const report = await provider.refund({ ...refund, currency: payment.currency, paymentReference })
  return await reportRefund(ctx, payment, refund.id, report, origin)
}

/** A provider may name the payment of an invoice only after it has reported the invoice as paid. */
async function referenceOf(ctx: AppContext, provider: PaymentProvider, payment: Payment): Promise<string | null> {
  if (payment.providerReference !== null) return payment.providerReference
  const found = await provider.readReference?.(payment)
  if (found === undefined) return null
  await setReference(ctx.database, payment, found)
  return found
}
