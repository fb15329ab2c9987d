import { errors, ServiceFault } from '@storekeep/common/errors'
import { requireStore } from '@storekeep/common/grpc'
import type { AppContext, PaymentHandlers } from '../context.ts'
import { findRefund } from '../db/refund-repository.ts'
import { findSettings } from '../db/settings-repository.ts'
import { providerFromProto } from '../mappers.ts'
import type { ProviderEvent } from '../providers/provider.ts'
import { reportRefund } from '../steps/make-refund.ts'
import { type Origin, originOf } from '../steps/origin.ts'
import { recordRefund } from '../steps/record-refund.ts'
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
        return void (await reportPayment(ctx, { storeId, id: event.paymentId }, event.report, origin))
      case 'dispute':
        return void (await reportDispute(ctx, { storeId, id: event.paymentId }, event.report, origin))
      case 'made-refund':
        return await recordRefund(ctx, { storeId, id: event.paymentId }, event.report, origin)
      case 'refund': {
        const refund = await findRefund(ctx.database, storeId, event.refundId)
        if (!refund) throw errors.notFound('refund')
        await reportRefund(ctx, refund, event.report, origin)
      }
    }
  } catch (error) {
    // Another installation uses the same account of the provider. Sending the webhook again would not help.
    if (error instanceof ServiceFault && error.code === 'not-found') return
    throw error
  }
}
