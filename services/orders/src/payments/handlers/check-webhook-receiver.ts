import { errors } from '@storekeep/common/errors'
import { requireStore } from '@storekeep/common/grpc'
import type { AppContext, PaymentHandlers } from '../../context.ts'
import { hasWebhookSecret } from '../db/settings-repository.ts'
import { providerFromProto } from '../mappers.ts'

export function checkWebhookReceiver(ctx: AppContext): PaymentHandlers['checkWebhookReceiver'] {
  return async ({ provider }, call) => {
    const name = providerFromProto(provider)
    const readsWebhooks = name !== 'invalid' && ctx.providers[name].readWebhook !== undefined
    if (!readsWebhooks || !(await hasWebhookSecret(ctx.database, requireStore(call)))) throw errors.notFound('webhook')
    return {}
  }
}
