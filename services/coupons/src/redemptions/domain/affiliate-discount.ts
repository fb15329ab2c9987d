import { permilleOf, sum } from '@storekeep/common/values'
import type { AffiliateLinkState } from '../../affiliate-links/domain/affiliate-link.ts'
import type { PricedLine } from './order.ts'
import { smaller } from './spread.ts'

/** The terms that decide how much an affiliate link deducts. */
export type AffiliateDiscount = Pick<AffiliateLinkState, 'applyForSubscriptions' | 'discountType' | 'discountAmount'>

/**
 * What the affiliate link deducts from the order: computed and rounded once on the sum of the lines that it applies to,
 * never more than that sum.
 * @param amounts the amount of each line after the coupon
 */
export function affiliateDiscount(
  link: AffiliateDiscount,
  amounts: readonly bigint[],
  lines: readonly PricedLine[],
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

function appliesTo({ applyForSubscriptions }: AffiliateDiscount, line: PricedLine | undefined): boolean {
  if (!line || line.isAffiliateLinksDisabled) return false
  return applyForSubscriptions || !line.subscription
}
