import { errors, isFault } from '@storekeep/common/errors'
import { requireStore } from '@storekeep/common/grpc'
import type { ProviderEvent, ReportedPayment } from '../../adapters/providers/provider.ts'
import type { AppContext, PaymentHandlers } from '../../context.ts'
import { findRefund } from '../../refunds/db/refund-repository.ts'
import { reportRefund } from '../../refunds/steps/make-refund.ts'
import { recordRefund } from '../../refunds/steps/record-refund.ts'
import { findSubscriptionByReference } from '../../subscriptions/db/subscription-repository.ts'
import type { Subscription } from '../../subscriptions/domain/subscription.ts'
import { syncSubscription } from '../../subscriptions/steps/sync-subscription.ts'
import { findPayment, findPaymentByReference, type PaymentKey } from '../db/payment-repository.ts'
import { findSettings } from '../db/settings-repository.ts'
import { providerFromProto } from '../mappers.ts'
import { type Origin, originOf } from '../steps/origin.ts'
import { reportDispute } from '../steps/report-dispute.ts'
import { reportPayment } from '../steps/report-payment.ts'

/** Responds once the report is stored. If that fails, the provider sends the webhook again. */
export function handleWebhook(ctx: AppContext): PaymentHandlers['handleWebhook'] {
  return async ({ provider: requested, headers, body }, call) => {
    const storeId = requireStore(call)
    const name = providerFromProto(requested)
    const provider = name === 'invalid' ? undefined : ctx.providers[name]
    const settings = await findSettings(ctx.database, ctx.secrets, storeId)
    // Only a store with a webhook secret has webhooks.
    if (!provider?.readWebhook || settings.stripeWebhookSecret === null) throw errors.notFound('webhook')
    const event = await provider.readWebhook({ headers, body: Buffer.from(body) }, settings)
    if (event) await apply(ctx, storeId, event, originOf(call))
    return {}
  }
}

async function apply(ctx: AppContext, storeId: string, event: ProviderEvent, origin: Origin): Promise<void> {
  try {
    switch (event.kind) {
      case 'payment':
        await reportPayment(ctx, await ownPayment(ctx, { storeId, id: event.paymentId }), event.report, origin)
        break
      case 'dispute': {
        const payment = await paymentOf(ctx, storeId, event.payment, origin)
        await reportDispute(ctx, payment, event.report, origin)
        break
      }
      case 'made-refund': {
        const payment = await paymentOf(ctx, storeId, event.payment, origin)
        await recordRefund(ctx, payment, event.report, origin)
        break
      }
      case 'refund': {
        const refund = await findRefund(ctx.database, storeId, event.refundId)
        if (!refund) throw errors.notFound('refund')
        await ownPayment(ctx, { storeId, id: refund.paymentId })
        await reportRefund(ctx, refund, event.report, origin)
        break
      }
      case 'subscription':
        await syncSubscription(ctx, await subscriptionOf(ctx, storeId, event.reference), origin)
        break
      case 'method':
        await useMethod(ctx, await subscriptionOf(ctx, storeId, event.reference), event.reference, event.setup)
        break
    }
  } catch (error) {
    // Another installation uses the same account of the provider. Sending the webhook again would not help.
    if (isFault(error, 'not-found')) return
    throw error
  }
}

/** @throws ServiceFault `not-found` also for one whose first payment is not settled: it is read when it starts */
async function subscriptionOf(ctx: AppContext, storeId: string, reference: string): Promise<Subscription> {
  const found = await findSubscriptionByReference(ctx.database, storeId, 'stripe', reference)
  if (!found) throw errors.notFound('subscription')
  return found
}

/**
 * The metadata that names a payment can be set by whoever has access to the account of the provider.
 * @throws ServiceFault `not-found` also for a payment of another provider
 */
async function ownPayment(ctx: AppContext, key: PaymentKey): Promise<PaymentKey> {
  const found = await findPayment(ctx.database, key)
  if (found?.provider !== 'stripe') throw errors.notFound('payment')
  return found
}

/** A dispute or refund can be reported before the renewal that it is about. */
async function paymentOf(
  ctx: AppContext,
  storeId: string,
  payment: ReportedPayment,
  origin: Origin,
): Promise<PaymentKey> {
  if ('id' in payment) return await ownPayment(ctx, { storeId, id: payment.id })
  const find = () => findPaymentByReference(ctx.database, storeId, 'stripe', payment.reference)
  const known = await find()
  if (known) return known
  await syncSubscription(ctx, await subscriptionOf(ctx, storeId, payment.subscription), origin)
  const found = await find()
  if (!found) throw errors.notFound('payment')
  return found
}

async function useMethod(ctx: AppContext, { storeId }: Subscription, reference: string, setup: string): Promise<void> {
  const settings = await findSettings(ctx.database, ctx.secrets, storeId)
  await ctx.providers.stripe.subscriptions?.useMethod?.(reference, setup, settings)
}
