import { errors } from '@storekeep/common/errors'
import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import { write } from '@storekeep/common/write'
import type { AppContext, CouponsHandlers } from '../../context.ts'
import { deleteLockedCoupon, lockCoupon } from '../db/coupon-repository.ts'
import { publishCouponDeleted } from '../events/publish.ts'

export function deleteCoupon(ctx: AppContext): CouponsHandlers['deleteCoupon'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const id = requireFlakeId('coupon_id', request.couponId)
    return write(ctx.forCouponLock(storeId), call, request, async (tx) => {
      const row = await lockCoupon(tx, storeId, id)
      if (!row) throw errors.notFound('coupon')
      await deleteLockedCoupon(tx, row)
      await publishCouponDeleted(tx, row, call)
      return {}
    })
  }
}
