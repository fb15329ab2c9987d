import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import { write } from '@storekeep/common/write'
import type { AppContext, RedemptionsHandlers } from '../../context.ts'
import { outcomeToProto } from '../mappers.ts'
import { confirm } from '../steps/confirm.ts'
import { countOutcome } from '../steps/count-outcome.ts'

export function confirmRedemption(ctx: AppContext): RedemptionsHandlers['confirmRedemption'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const checkoutId = requireFlakeId('checkout_id', request.checkoutId)
    return write(ctx.forCouponLock(storeId), call, request, async (tx) => {
      const outcome = await confirm(tx, { storeId, checkoutId, now: ctx.clock.now() })
      countOutcome(ctx, tx, outcome)
      return outcomeToProto(outcome)
    })
  }
}
