import { errors } from '@storekeep/common/errors'
import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import type { AppContext, CouponsHandlers } from '../../context.ts'
import { findCoupon } from '../db/coupon-repository.ts'
import { couponToProto } from '../mappers.ts'

export function getCoupon(ctx: AppContext): CouponsHandlers['getCoupon'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const row = await findCoupon(ctx.database, storeId, requireFlakeId('coupon_id', request.couponId))
    if (!row) throw errors.notFound('coupon')
    return { coupon: couponToProto(row) }
  }
}
