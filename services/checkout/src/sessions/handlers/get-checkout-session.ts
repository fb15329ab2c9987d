import { errors } from '@storekeep/common/errors'
import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import type { AppContext, CheckoutHandlers } from '../../context.ts'
import { findSession } from '../db/session-repository.ts'
import { sessionToProto } from '../mappers.ts'

export function getCheckoutSession(ctx: AppContext): CheckoutHandlers['getCheckoutSession'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const row = await findSession(ctx.database, storeId, requireFlakeId('checkout_id', request.checkoutId))
    if (!row) throw errors.notFound('checkout session')
    return { session: sessionToProto(row, ctx.clock.now()) }
  }
}
