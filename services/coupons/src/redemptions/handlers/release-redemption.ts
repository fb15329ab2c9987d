import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import { write } from '@storekeep/common/write'
import type { AppContext, RedemptionsHandlers } from '../../context.ts'
import { redemptionToProto } from '../mappers.ts'
import { countOutcome } from '../steps/count-outcome.ts'
import { release } from '../steps/release.ts'

export function releaseRedemption(ctx: AppContext): RedemptionsHandlers['releaseRedemption'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const checkoutId = requireFlakeId('checkout_id', request.checkoutId)
    return write(ctx.forCouponLock(storeId), call, request, async (tx) => {
      const outcome = await release(tx, { storeId, checkoutId, now: ctx.clock.now() })
      countOutcome(ctx, tx, outcome)
      return outcome.redemption ? { redemption: redemptionToProto(outcome.redemption) } : {}
    })
  }
}
