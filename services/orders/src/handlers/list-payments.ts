import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import type { AppContext, PaymentHandlers } from '../context.ts'
import { selectPayments } from '../db/payment-repository.ts'
import { paymentToProto } from '../mappers.ts'

export function listPayments(ctx: AppContext): PaymentHandlers['listPayments'] {
  return async (request, call) => {
    const checkoutId = requireFlakeId('checkout_id', request.checkoutId)
    const payments = await selectPayments(ctx.database, requireStore(call), checkoutId)
    return { payments: payments.map(paymentToProto) }
  }
}
