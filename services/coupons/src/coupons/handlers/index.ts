import type { AppContext, CouponsHandlers } from '../../context.ts'
import { confirmRedemption } from '../../redemptions/handlers/confirm-redemption.ts'
import { releaseRedemption } from '../../redemptions/handlers/release-redemption.ts'
import { reserveRedemption } from '../../redemptions/handlers/reserve-coupon.ts'
import { resolveCodes } from '../../redemptions/handlers/resolve-codes.ts'
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
    resolveCodes: resolveCodes(ctx),
    reserveRedemption: reserveRedemption(ctx),
    confirmRedemption: confirmRedemption(ctx),
    releaseRedemption: releaseRedemption(ctx),
  }
}
