import { requireStore } from '@storekeep/common/grpc'
import type { AppContext, PaymentHandlers } from '../../context.ts'
import { canRenew } from '../../subscriptions/domain/subscription.ts'
import { findSettings } from '../db/settings-repository.ts'
import { enabledProviders } from '../domain/payment-settings.ts'
import { providerToProto } from '../mappers.ts'

export function listPaymentMethods(ctx: AppContext): PaymentHandlers['listPaymentMethods'] {
  return async ({ renewing }, call) => {
    const settings = await findSettings(ctx.database, ctx.secrets, requireStore(call))
    const enabled = enabledProviders(settings, ctx.isTestAllowed).filter((name) => !renewing || canRenew(name))
    return { providers: enabled.map((name) => providerToProto[name]) }
  }
}
