import { errors } from '@storekeep/common/errors'
import { isFlakeId, requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import { actorText } from '@storekeep/common/message'
import { conflictOn } from '@storekeep/common/postgres'
import { findStoredResponse, write } from '@storekeep/common/write'
import type { AppContext, CouponsHandlers } from '../../context.ts'
import { findCoupon, lockCoupon, takenCode, updateCouponState } from '../db/coupon-repository.ts'
import { applyChange, readChange } from '../domain/coupon-change.ts'
import { publishCouponUpdated } from '../events/publish.ts'
import { couponInputFromProto, couponToProto } from '../mappers.ts'
import { requireCustomer } from '../steps/require-customer.ts'

export function updateCoupon(ctx: AppContext): CouponsHandlers['updateCoupon'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const id = requireFlakeId('coupon_id', request.couponId)
    const stored = await findStoredResponse(ctx, call, request)
    if (stored) return stored
    const change = readChange(couponInputFromProto(request.coupon), request.updateMask?.paths ?? [])
    const { usableByCustomerId: customerId = null } = change
    if (customerId !== null && isFlakeId(customerId)) {
      const present = await findCoupon(ctx.database, storeId, id)
      if (!present) throw errors.notFound('coupon')
      if (present.usableByCustomerId !== customerId) await requireCustomer(ctx, call, customerId)
    }
    const versionId = await ctx.ids.next()
    const updated = write(ctx.forCouponLock(storeId), call, request, async (tx) => {
      const row = await lockCoupon(tx, storeId, id)
      if (!row) throw errors.notFound('coupon')
      const changed = applyChange(row, change)
      if (!changed) return { coupon: couponToProto(row) }
      const updatedBy = actorText(call.actor)
      const written = await updateCouponState(tx, row, changed, { versionId, updatedBy, updatedAt: ctx.clock.now() })
      await publishCouponUpdated(tx, written, call)
      return { coupon: couponToProto(written) }
    })
    return conflictOn(takenCode, updated)
  }
}
