import { timestampDate } from '@bufbuild/protobuf/wkt'
import { errors, violation } from '@storekeep/common/errors'
import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import { write } from '@storekeep/common/write'
import type { ReserveRedemptionRequest } from '@storekeep/proto/coupons/v1/coupons_service'
import type { AppContext, CouponsHandlers } from '../../context.ts'
import { reserve } from '../ledger.ts'
import { ledgerAnswerToProto } from '../mappers.ts'
import { countMove } from '../metrics.ts'

export function reserveRedemption(ctx: AppContext): CouponsHandlers['reserveRedemption'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const now = ctx.clock.now()
    const wanted = { ...readReservation(request), storeId, createdAt: now }
    return write({ ...ctx, database: ctx.ledgerOf(storeId) }, call, request, async (tx) => {
      const answer = await reserve(tx, wanted, now)
      countMove(ctx, tx, answer)
      return ledgerAnswerToProto(answer)
    })
  }
}

function readReservation(request: ReserveRedemptionRequest) {
  const { expiresAt } = request
  if (!expiresAt) throw errors.validationFailed([violation('expires_at', 'required', 'is required')])
  return {
    couponId: requireFlakeId('coupon_id', request.couponId),
    couponVersionId: requireFlakeId('coupon_version_id', request.couponVersionId),
    customerId: requireFlakeId('customer_id', request.customerId),
    checkoutId: requireFlakeId('checkout_id', request.checkoutId),
    expiresAt: timestampDate(expiresAt),
  }
}
