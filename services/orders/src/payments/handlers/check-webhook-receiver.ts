import { errors } from '@storekeep/common/errors'
import { requireStore } from '@storekeep/common/grpc'
import type { AppContext, PaymentHandlers } from '../../context.ts'
import { providerFromProto } from '../mappers.ts'

export function checkWebhookReceiver(ctx: AppContext): PaymentHandlers['checkWebhookReceiver'] {
  return async ({ provider }, call) => {
    const name = providerFromProto(provider)
    const { providers } = await ctx.providers.forStore(requireStore(call))
    if (name === 'invalid' || !providers[name].readWebhook) throw errors.notFound('webhook')
    return {}
  }
}
