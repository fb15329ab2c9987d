import { errors, isFault } from '@storekeep/common/errors'
import { requireStore } from '@storekeep/common/grpc'
import type { PaymentProvider, ProviderEvent, ReportedPayment } from '../../adapters/providers/provider.ts'
import type { AppContext, PaymentHandlers } from '../../context.ts'
import { reportDispute } from '../../orders/steps/report-dispute.ts'
import { findRefund } from '../../refunds/db/refund-repository.ts'
import { recordRefund } from '../../refunds/steps/record-refund.ts'
import { reportRefund } from '../../refunds/steps/report-refund.ts'
import { advance } from '../../steps/advance.ts'
import { type Origin, originOf } from '../../steps/origin.ts'
import { findSubscriptionByReference } from '../../subscriptions/db/subscription-repository.ts'
import type { Subscription } from '../../subscriptions/domain/subscription.ts'
import { syncSubscription } from '../../subscriptions/steps/sync-subscription.ts'
import { findPaymentByReference, type PaymentKey } from '../db/payment-repository.ts'
import type { ProviderName } from '../domain/payment.ts'
import { providerFromProto } from '../mappers.ts'
import { reportPayment } from '../steps/report-payment.ts'

/** Responds once the report is stored. If that fails, the provider sends the webhook again. */
export function handleWebhook(ctx: AppContext): PaymentHandlers['handleWebhook'] {
  return async ({ provider: requested, headers, body }, call) => {
    const storeId = requireStore(call)
    const name = providerFromProto(requested)
    if (name === 'invalid') throw errors.notFound('webhook')
    const provider = (await ctx.providers.forStore(storeId)).providers[name]
    if (!provider.readWebhook) throw errors.notFound('webhook')
    const event = await provider.readWebhook({ headers, body: Buffer.from(body) })
    if (event) await apply(ctx, { storeId, name, provider, origin: originOf(call) }, event).catch(ignoreUnknown)
    return {}
  }
}

/** Where a webhook comes from. */
interface Sender {
  storeId: string
  name: ProviderName
  provider: PaymentProvider
  origin: Origin
}

/** The object belongs to another installation using the same provider account; a retry would not help. */
function ignoreUnknown(error: unknown): void {
  if (!isFault(error, 'not-found')) throw error
}

/**
 * The metadata that names a payment can be set by anyone who has access to the account of the provider, so keys name the provider.
 * @throws ServiceFault `not-found`
 */
async function apply(ctx: AppContext, sender: Sender, event: ProviderEvent): Promise<void> {
  const { storeId, name: provider, origin } = sender
  switch (event.kind) {
    case 'payment': {
      const payment = await reportPayment(ctx, { storeId, id: event.paymentId, provider }, event.report)
      await advance(ctx, { payment }, origin)
      break
    }
    case 'dispute':
      await reportDispute(ctx, await paymentOf(ctx, sender, event.payment), event.report, origin)
      break
    case 'made-refund':
      await recordRefund(ctx, await paymentOf(ctx, sender, event.payment), event.report, origin)
      break
    case 'refund': {
      const refund = await findRefund(ctx.database, storeId, event.refundId)
      if (!refund) throw errors.notFound('refund')
      await reportRefund(ctx, { storeId, id: refund.paymentId, provider }, refund.id, event.report, origin)
      break
    }
    case 'subscription':
      await syncSubscription(ctx, await subscriptionOf(ctx, sender, event.reference), origin)
      break
    case 'method':
      await subscriptionOf(ctx, sender, event.reference)
      await sender.provider.subscriptions?.useMethod?.(event.reference, event.setup)
      break
  }
}

/** @throws ServiceFault `not-found` also until the first payment is settled; the subscription is synced then */
async function subscriptionOf(ctx: AppContext, { storeId, name }: Sender, reference: string): Promise<Subscription> {
  const found = await findSubscriptionByReference(ctx.database, storeId, name, reference)
  if (!found) throw errors.notFound('subscription')
  return found
}

/** A dispute or refund webhook can arrive before its renewal's. */
async function paymentOf(ctx: AppContext, sender: Sender, payment: ReportedPayment): Promise<PaymentKey> {
  const { storeId, name: provider, origin } = sender
  if ('id' in payment) return { storeId, id: payment.id, provider }
  const find = () => findPaymentByReference(ctx.database, storeId, provider, payment.reference)
  const known = await find()
  if (known) return known
  await syncSubscription(ctx, await subscriptionOf(ctx, sender, payment.subscription), origin)
  const found = await find()
  if (!found) throw errors.notFound('payment')
  return found
}
