import { requireStore } from '@storekeep/common/grpc'
import type { AppContext, PaymentHandlers } from '../context.ts'
import { findSettings } from '../db/settings-repository.ts'
import { enabledProviders } from '../domain/payment-settings.ts'
import { providerToProto } from '../mappers.ts'

export function listPaymentMethods(ctx: AppContext): PaymentHandlers['listPaymentMethods'] {
  return async (_request, call) => {
    const settings = await findSettings(ctx.database, ctx.secrets, requireStore(call))
    return { providers: enabledProviders(settings, ctx.isTestAllowed).map((name) => providerToProto[name]) }
  }
}
