import type { AppContext, RedemptionsHandlers } from '../../context.ts'
import { confirmRedemption } from './confirm-redemption.ts'
import { releaseRedemption } from './release-redemption.ts'
import { reserveCoupon } from './reserve-coupon.ts'

export function createRedemptionHandlers(ctx: AppContext): RedemptionsHandlers {
  return {
    reserveCoupon: reserveCoupon(ctx),
    confirmRedemption: confirmRedemption(ctx),
    releaseRedemption: releaseRedemption(ctx),
  }
}
