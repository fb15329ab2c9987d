import { permilleOf, sum } from '@storekeep/common/values'
import type { CouponState } from '../../coupons/domain/coupon.ts'
import type { PricedLine } from './order.ts'
import { smaller, spread } from './spread.ts'

/** The terms that decide to which lines a coupon applies. */
export type CouponScope = Pick<
  CouponState,
  'applyToProducts' | 'applyToTags' | 'usableOnOneTimePurchase' | 'usableOnSubscription'
>

/** The terms that decide how much a coupon deducts. */
export type CouponDiscount = Pick<CouponState, 'discountType' | 'discountAmount' | 'discountApplyIndividually'>

/** For each line whether the coupon applies to it. */
export function couponScope(coupon: CouponScope, lines: readonly PricedLine[]): boolean[] {
  const products = new Set(coupon.applyToProducts)
  const tags = new Set(coupon.applyToTags)
  const wholeOrder = products.size === 0 && tags.size === 0
  return lines.map((line) => {
    if (line.isCouponsDisabled) return false
    if (!(line.subscription ? coupon.usableOnSubscription : coupon.usableOnOneTimePurchase)) return false
    return (
      wholeOrder || (line.productId !== null && products.has(line.productId)) || line.tags.some((tag) => tags.has(tag))
    )
  })
}

/**
 * The discount of each line, never more than its amount.
 * @param amounts the amount of each line, 0 for lines out of scope
 */
export function couponDiscounts(
  { discountType, discountAmount, discountApplyIndividually }: CouponDiscount,
  amounts: readonly bigint[],
  lines: readonly Pick<PricedLine, 'quantity'>[],
): bigint[] {
  if (discountType === 'percent') {
    return amounts.map((amount) => smaller(amount, permilleOf(amount, discountAmount)))
  }
  if (discountApplyIndividually) {
    return amounts.map((amount, index) => smaller(amount, discountAmount * BigInt(lines[index]?.quantity ?? 0)))
  }
  return spread(smaller(discountAmount, sum(amounts)), amounts)
}
