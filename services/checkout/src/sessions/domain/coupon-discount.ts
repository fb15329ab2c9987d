import type { CouponTerms } from './codes.ts'
import type { LineTerms } from './line-price.ts'
import { permilleOf, smaller, spread, sum } from './rounding.ts'

/** For each line whether the coupon applies to it. */
export function couponScope(coupon: CouponTerms, lines: readonly LineTerms[]): boolean[] {
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
 * What the coupon takes off each line, never more than the line costs.
 * @param amounts what each line costs, 0 for those that the coupon does not apply to
 */
export function couponDiscounts(
  coupon: CouponTerms,
  amounts: readonly bigint[],
  lines: readonly { quantity: number }[],
): bigint[] {
  const { discountType, discountAmount, applyIndividually } = coupon
  if (discountType === 'percent') {
    return amounts.map((amount) => smaller(amount, permilleOf(amount, discountAmount)))
  }
  if (applyIndividually) {
    return amounts.map((amount, index) => smaller(amount, discountAmount * BigInt(lines[index]?.quantity ?? 0)))
  }
  return spread(smaller(discountAmount, sum(amounts)), amounts)
}
