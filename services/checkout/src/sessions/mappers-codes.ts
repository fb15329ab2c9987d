import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt'
import { type AffiliateLink, AmountType } from '@storekeep/proto/coupons/v1/affiliate_link'
import { type Coupon, CouponDiscountType } from '@storekeep/proto/coupons/v1/coupon'
import type { AffiliateTerms, CouponTerms } from './domain/codes.ts'

export function couponFromProto(coupon: Coupon): CouponTerms {
  return {
    id: coupon.id,
    versionId: coupon.versionId,
    enabled: coupon.enabled,
    discountType: discountTypeFromProto(coupon.discountType),
    discountAmount: coupon.discountAmount,
    applyIndividually: coupon.discountApplyIndividually,
    applyToProducts: coupon.applyToProducts,
    applyToTags: coupon.applyToTags,
    usableByCustomerId: coupon.usableByCustomerId ?? null,
    minimumOrderValue: coupon.minimumOrderValue,
    usableOnOneTimePurchase: coupon.usableOnOneTimePurchase,
    usableOnSubscription: coupon.usableOnSubscription,
    usableAt: dateOrNull(coupon.usableAt),
    expiresAt: dateOrNull(coupon.expiresAt),
  }
}

export function affiliateFromProto(link: AffiliateLink): AffiliateTerms {
  return {
    id: link.id,
    enabled: link.enabled,
    applyForSubscriptions: link.applyForSubscriptions,
    discountType: amountTypeFromProto(link.discountType),
    discountAmount: link.discountAmount,
  }
}

/** A kind of discount that this build does not know stops the sale: any guess would be a wrong price. */
function discountTypeFromProto(type: CouponDiscountType): CouponTerms['discountType'] {
  if (type === CouponDiscountType.PERCENT) return 'percent'
  if (type === CouponDiscountType.AMOUNT) return 'amount'
  throw new Error(`a coupon with the unknown kind of discount ${type}`)
}

function amountTypeFromProto(type: AmountType): AffiliateTerms['discountType'] {
  if (type === AmountType.NONE) return 'none'
  if (type === AmountType.FIXED) return 'fixed'
  if (type === AmountType.PERCENTAGE) return 'percentage'
  throw new Error(`an affiliate link with the unknown kind of discount ${type}`)
}

function dateOrNull(time: Timestamp | undefined): Date | null {
  return time ? timestampDate(time) : null
}
