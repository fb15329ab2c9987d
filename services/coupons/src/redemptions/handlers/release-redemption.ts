import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import { write } from '@storekeep/common/write'
import type { AppContext, CouponsHandlers } from '../../context.ts'
import { release } from '../ledger.ts'
import { redemptionToProto } from '../mappers.ts'
import { countMove } from '../metrics.ts'

export function releaseRedemption(ctx: AppContext): CouponsHandlers['releaseRedemption'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const checkoutId = requireFlakeId('checkout_id', request.checkoutId)
    return write({ ...ctx, database: ctx.ledgerOf(storeId) }, call, request, async (tx) => {
      const answer = await release(tx, { storeId, checkoutId, now: ctx.clock.now() })
      countMove(ctx, tx, answer)
      return answer.redemption ? { redemption: redemptionToProto(answer.redemption) } : {}
    })
  }
}
