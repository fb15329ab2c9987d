import type { AffiliateTerms } from './codes.ts'
import type { LineTerms } from './line-price.ts'
import { permilleOf, smaller, sum } from './rounding.ts'

/**
 * What the affiliate link takes off the order, once, never more than the lines that it may apply to cost.
 * @param amounts what is left of each line after the coupon
 */
export function affiliateDiscount(
  link: AffiliateTerms,
  amounts: readonly bigint[],
  lines: readonly LineTerms[],
): bigint {
  const eligible = sum(amounts.filter((_, index) => appliesTo(link, lines[index])))
  switch (link.discountType) {
    case 'none':
      return 0n
    case 'percentage':
      return smaller(eligible, permilleOf(eligible, link.discountAmount))
    case 'fixed':
      return smaller(eligible, link.discountAmount)
  }
}

function appliesTo({ applyForSubscriptions }: AffiliateTerms, line: LineTerms | undefined): boolean {
  if (!line || line.isAffiliateLinksDisabled) return false
  return applyForSubscriptions || !line.subscription
}
