import { errors } from '@storekeep/common/errors'
import type { Handlers } from '@storekeep/common/grpc'
import type { CouponsService } from '@storekeep/proto/coupons/v1/coupons_service'
import type { AppContext } from '../context.ts'
import { createCoupon } from './create-coupon.ts'
import { deleteCoupon } from './delete-coupon.ts'
import { getCoupon } from './get-coupon.ts'
import { listCoupons } from './list-coupons.ts'
import { resolveCodes } from './resolve-codes.ts'
import { updateCoupon } from './update-coupon.ts'

export function createCouponHandlers(ctx: AppContext): CouponsHandlers {
  const later = () => Promise.reject(errors.internal(new Error('not built yet')))
  return {
    createCoupon: createCoupon(ctx),
    getCoupon: getCoupon(ctx),
    listCoupons: listCoupons(ctx),
    updateCoupon: updateCoupon(ctx),
    deleteCoupon: deleteCoupon(ctx),
    resolveCodes: resolveCodes(ctx),
    reserveRedemption: later,
    confirmRedemption: later,
    releaseRedemption: later,
  }
}

export type CouponsHandlers = Handlers<typeof CouponsService>
