import type { Violation } from '@storekeep/common/errors'
import { sum } from '@storekeep/common/values'
import type { CouponState } from '../../coupons/domain/coupon.ts'
import { type AffiliateDiscount, affiliateDiscount } from './affiliate-discount.ts'
import { notUsable } from './codes.ts'
import { type CouponDiscount, type CouponScope, couponDiscounts, couponScope } from './coupon-discount.ts'
import type { PricedLine } from './order.ts'

/** What the codes deduct from an order. Amounts are minor units. */
export interface Discounts {
  /** The coupon's discount of each line, in the order of the lines. */
  lineDiscounts: readonly bigint[]
  /** The affiliate link's discount of the order. */
  affiliateDiscount: bigint
}

/** The codes as far as the discounts depend on them. */
export interface DiscountCodes {
  coupon: { terms: CouponScope & CouponDiscount & Pick<CouponState, 'minimumOrderValue'>; path: string } | undefined
  affiliateLink: AffiliateDiscount | undefined
}

/**
 * The discounts of an order (contract "Totals"): first the coupon on the lines in its scope, then the affiliate link
 * once on what remains of the lines that it applies to.
 * @returns the discounts; meaningless if there are violations
 */
export function discountOrder(
  lines: readonly PricedLine[],
  { coupon, affiliateLink }: DiscountCodes,
): Discounts & { violations: Violation[] } {
  const amounts = lines.map(({ amount }) => amount)
  const scope = coupon ? couponScope(coupon.terms, lines) : []
  const inScope = amounts.map((amount, index) => (scope[index] ? amount : 0n))
  const lineDiscounts = coupon ? couponDiscounts(coupon.terms, inScope, lines) : amounts.map(() => 0n)
  const net = amounts.map((amount, index) => amount - (lineDiscounts[index] ?? 0n))
  const violations: Violation[] = []
  if (coupon && sum(amounts) < coupon.terms.minimumOrderValue) {
    violations.push(notUsable(coupon.path, 'coupon-below-minimum'))
  } else if (coupon && !scope.includes(true)) {
    violations.push(notUsable(coupon.path, 'coupon-out-of-scope'))
  }
  return {
    lineDiscounts,
    affiliateDiscount: affiliateLink ? affiliateDiscount(affiliateLink, net, lines) : 0n,
    violations,
  }
}
