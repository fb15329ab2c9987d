import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import { write } from '@storekeep/common/write'
import type { AppContext, CouponsHandlers } from '../../context.ts'
import { confirm } from '../ledger.ts'
import { ledgerAnswerToProto } from '../mappers.ts'
import { countMove } from '../metrics.ts'

export function confirmRedemption(ctx: AppContext): CouponsHandlers['confirmRedemption'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const checkoutId = requireFlakeId('checkout_id', request.checkoutId)
    return write({ ...ctx, database: ctx.ledgerOf(storeId) }, call, request, async (tx) => {
      const answer = await confirm(tx, { storeId, checkoutId, now: ctx.clock.now() })
      countMove(ctx, tx, answer)
      return ledgerAnswerToProto(answer)
    })
  }
}
