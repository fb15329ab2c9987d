import type { AppContext, CouponsHandlers } from '../../context.ts'
import { createCoupon } from './create-coupon.ts'
import { deleteCoupon } from './delete-coupon.ts'
import { getCoupon } from './get-coupon.ts'
import { listCoupons } from './list-coupons.ts'
import { updateCoupon } from './update-coupon.ts'

export function createCouponHandlers(ctx: AppContext): CouponsHandlers {
  return {
    createCoupon: createCoupon(ctx),
    getCoupon: getCoupon(ctx),
    listCoupons: listCoupons(ctx),
    updateCoupon: updateCoupon(ctx),
    deleteCoupon: deleteCoupon(ctx),
  }
}
