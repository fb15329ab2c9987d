import { requireStore } from '@storekeep/common/grpc'
import { write } from '@storekeep/common/write'
import type { AppContext, PaymentHandlers } from '../../context.ts'
import { lockSettings, updateSettings } from '../db/settings-repository.ts'
import { changeSettings, secretsOf } from '../domain/payment-settings.ts'
import { settingsFromProto, settingsToProto } from '../mappers.ts'

export function updatePaymentSettings(ctx: AppContext): PaymentHandlers['updatePaymentSettings'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    return write(ctx, call, request, async (tx) => {
      const before = await lockSettings(tx, storeId)
      const after = changeSettings(
        before,
        settingsFromProto(request),
        ctx.isTestAllowed,
        secretsOf(ctx.secrets, storeId),
      )
      await updateSettings(tx, storeId, after)
      return { settings: settingsToProto(after, ctx.isTestAllowed) }
    })
  }
}
