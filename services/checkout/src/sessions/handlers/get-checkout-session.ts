import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import type { AppContext, CheckoutHandlers } from '../../context.ts'
import { sessionToProto } from '../mappers.ts'
import { requireSession } from '../steps/find-session.ts'

export function getCheckoutSession(ctx: AppContext): CheckoutHandlers['getCheckoutSession'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const row = await requireSession(ctx, storeId, requireFlakeId('checkout_id', request.checkoutId))
    return { session: sessionToProto(row, ctx.clock.now()) }
  }
}
