import { type Violation, violation } from '@storekeep/common/errors'
import { maxJsonInteger } from '@storekeep/common/values'
import { affiliateDiscount } from './affiliate-discount.ts'
import type { Amounts } from './checkout-session.ts'
import { type ChosenCodes, notUsable } from './codes.ts'
import { couponDiscounts, couponScope } from './coupon-discount.ts'
import { type LineTerms, type OptionTerms, priceLine } from './line-price.ts'
import { sum } from './rounding.ts'

/** A line as far as its price depends on it. */
export interface LineToPrice extends LineTerms {
  quantity: number
  /** Chosen in answers to custom variables. */
  options: readonly OptionTerms[]
}

export interface PricedLine {
  unitPrice: bigint
  optionsAmount: bigint
  discountAmount: bigint
  totalAmount: bigint
}

/**
 * The price of an order (contract "Totals"): lines with their options, then the coupon on the lines in its scope, then
 * the affiliate discount on what remains of those that it may apply to.
 * @returns the priced lines in their order and the totals; or, with any violations, nothing to rely on
 */
export function priceOrder(
  lines: readonly LineToPrice[],
  { coupon, affiliate }: ChosenCodes,
): { lines: PricedLine[]; amounts: Amounts; violations: Violation[] } {
  const prices = lines.map((line) => priceLine(line.price, line.options))
  const gross = lines.map(({ quantity }, index) => (prices[index]?.unitPrice ?? 0n) * BigInt(quantity))
  const subtotalAmount = sum(gross)
  const violations: Violation[] = subtotalAmount > maxJsonInteger ? [tooMuch] : []

  const scope = coupon ? couponScope(coupon.terms, lines) : []
  if (coupon && subtotalAmount < coupon.terms.minimumOrderValue) {
    violations.push(notUsable(coupon.path, 'coupon-below-minimum'))
  } else if (coupon && !scope.includes(true)) {
    violations.push(notUsable(coupon.path, 'coupon-out-of-scope'))
  }

  const inScope = gross.map((amount, index) => (scope[index] ? amount : 0n))
  const discounts = coupon ? couponDiscounts(coupon.terms, inScope, lines) : gross.map(() => 0n)
  const net = gross.map((amount, index) => amount - (discounts[index] ?? 0n))
  const couponDiscountAmount = sum(discounts)
  const affiliateDiscountAmount = affiliate ? affiliateDiscount(affiliate.terms, net, lines) : 0n
  return {
    lines: prices.map((price, index) => ({
      ...price,
      discountAmount: discounts[index] ?? 0n,
      totalAmount: net[index] ?? 0n,
    })),
    amounts: {
      subtotalAmount,
      couponDiscountAmount,
      affiliateDiscountAmount,
      totalAmount: subtotalAmount - couponDiscountAmount - affiliateDiscountAmount,
    },
    violations,
  }
}

const tooMuch = violation('lines', 'max', `must cost at most ${maxJsonInteger} together`)
