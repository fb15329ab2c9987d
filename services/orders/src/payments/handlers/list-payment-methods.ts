import { requireStore } from '@storekeep/common/grpc'
import type { AppContext, PaymentHandlers } from '../../context.ts'
import { canRenew } from '../domain/payment.ts'
import { providerToProto } from '../mappers.ts'

export function listPaymentMethods(ctx: AppContext): PaymentHandlers['listPaymentMethods'] {
  return async ({ renewing }, call) => {
    const { enabled } = await ctx.providers.forStore(requireStore(call))
    const offered = enabled.filter((name) => !renewing || canRenew(name))
    return { providers: offered.map((name) => providerToProto[name]) }
  }
}
