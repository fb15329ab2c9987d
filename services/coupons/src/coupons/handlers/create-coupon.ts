import { requireStore } from '@storekeep/common/grpc'
import { actorText } from '@storekeep/common/message'
import { conflictOn } from '@storekeep/common/postgres'
import { findStoredResponse, write } from '@storekeep/common/write'
import type { AppContext, CouponsHandlers } from '../../context.ts'
import { insertCoupon, takenCode } from '../db/coupon-repository.ts'
import { checkCoupon } from '../domain/coupon-draft.ts'
import { publishCouponCreated } from '../events/publish.ts'
import { couponInputFromProto, couponToProto } from '../mappers.ts'
import { requireCustomer } from '../steps/require-customer.ts'

export function createCoupon(ctx: AppContext): CouponsHandlers['createCoupon'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const stored = await findStoredResponse(ctx, call, request)
    if (stored) return stored
    const terms = checkCoupon(couponInputFromProto(request.coupon))
    await requireCustomer(ctx, call, terms.usableByCustomerId)
    const created = write(ctx, call, request, async (tx) => {
      const createdBy = actorText(call.actor)
      const [id, versionId] = [await ctx.ids.next(), await ctx.ids.next()]
      const row = insertCoupon(tx, { ...terms, id, versionId, storeId, createdBy, createdAt: ctx.clock.now() })
      await publishCouponCreated(tx, row, call)
      return { coupon: couponToProto(row) }
    })
    return conflictOn(takenCode, created)
  }
}
