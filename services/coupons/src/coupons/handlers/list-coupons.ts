import { requireStore } from '@storekeep/common/grpc'
import { cutPage, planPage } from '@storekeep/common/page'
import type { AppContext, CouponsHandlers } from '../../context.ts'
import { selectCoupons } from '../db/coupon-list-repository.ts'
import { checkCouponFilter } from '../domain/coupon-filter.ts'
import { couponFilterFromProto, couponToProto } from '../mappers.ts'

export function listCoupons(ctx: AppContext): CouponsHandlers['listCoupons'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const plan = planPage(request.page)
    const filter = checkCouponFilter(couponFilterFromProto(request))
    // A list by status may scan the index entries of all coupons of the store.
    const db = filter.status === undefined ? ctx.database : ctx.database.scans(call, { mayLag: true })
    const { rows, info } = cutPage(plan, await selectCoupons(db, storeId, filter, plan, ctx.clock.now()))
    return { coupons: rows.map(couponToProto), page: info }
  }
}
