import type { AppContext, CouponsHandlers } from '../context.ts'
import { confirmRedemption } from './confirm-redemption.ts'
import { createCoupon } from './create-coupon.ts'
import { deleteCoupon } from './delete-coupon.ts'
import { getCoupon } from './get-coupon.ts'
import { listCoupons } from './list-coupons.ts'
import { releaseRedemption } from './release-redemption.ts'
import { reserveRedemption } from './reserve-redemption.ts'
import { resolveCodes } from './resolve-codes.ts'
import { updateCoupon } from './update-coupon.ts'

export function createCouponHandlers(ctx: AppContext): CouponsHandlers {
  return {
    createCoupon: createCoupon(ctx),
    getCoupon: getCoupon(ctx),
    listCoupons: listCoupons(ctx),
    updateCoupon: updateCoupon(ctx),
    deleteCoupon: deleteCoupon(ctx),
    resolveCodes: resolveCodes(ctx),
    reserveRedemption: reserveRedemption(ctx),
    confirmRedemption: confirmRedemption(ctx),
    releaseRedemption: releaseRedemption(ctx),
  }
}
