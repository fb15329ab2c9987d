import { requireStore } from '@storekeep/common/grpc'
import type { AppContext, PaymentHandlers } from '../../context.ts'
import { findSettings } from '../db/settings-repository.ts'
import { settingsToProto } from '../mappers.ts'

export function getPaymentSettings(ctx: AppContext): PaymentHandlers['getPaymentSettings'] {
  return async (_request, call) => {
    const settings = await findSettings(ctx.database, requireStore(call))
    return { settings: settingsToProto(settings, ctx.isTestAllowed) }
  }
}
