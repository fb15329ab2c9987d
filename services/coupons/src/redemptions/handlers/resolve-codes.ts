import { errors, violation } from '@storekeep/common/errors'
import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import { present } from '@storekeep/common/message'
import { foldText } from '@storekeep/proto/conventions/folded-text'
import { findAffiliateLinksByCode } from '../../affiliate-links/db/affiliate-link-repository.ts'
import { affiliateLinkToProto } from '../../affiliate-links/mappers.ts'
import type { AppContext, CouponsHandlers } from '../../context.ts'
import { findCoupon, findCouponsByCode } from '../../coupons/db/coupon-repository.ts'
import { couponToProto } from '../../coupons/mappers.ts'

export function resolveCodes(ctx: AppContext): CouponsHandlers['resolveCodes'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    if (request.codes.length > maxCodes) {
      throw errors.validationFailed([violation('codes', 'length', `must have at most ${maxCodes} items`)])
    }
    const codes = request.codes.map((code) => foldText(code.trim()))
    const couponId = request.couponId === undefined ? undefined : requireFlakeId('coupon_id', request.couponId)
    const [coupons, links, coupon] = await Promise.all([
      findCouponsByCode(ctx.database, storeId, codes),
      findAffiliateLinksByCode(ctx.database, storeId, codes),
      couponId === undefined ? undefined : findCoupon(ctx.database, storeId, couponId),
    ])
    const couponOf = new Map(coupons.map((row) => [foldText(row.code), couponToProto(row)]))
    const linkOf = new Map(links.map((row) => [foldText(row.code), affiliateLinkToProto(row)]))
    return {
      codes: codes.map((code) => present({ coupon: couponOf.get(code), affiliateLink: linkOf.get(code) })),
      ...(coupon && { coupon: couponToProto(coupon) }),
    }
  }
}

const maxCodes = 20
