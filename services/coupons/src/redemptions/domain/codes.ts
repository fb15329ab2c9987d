import { type Violation, violation } from '@storekeep/common/errors'
import { foldText } from '@storekeep/proto/conventions/folded-text'
import type { AffiliateLink } from '../../affiliate-links/domain/affiliate-link.ts'
import type { Coupon } from '../../coupons/domain/coupon.ts'
import type { OrderCodes } from './order.ts'

/** Coupons and affiliate links that the codes of an order may name. */
export interface KnownCodes<C extends Coupon = Coupon> {
  coupons: readonly C[]
  affiliateLinks: readonly AffiliateLink[]
}

/** The coupon and the affiliate link of an order. */
export interface ChosenCodes<C extends Coupon = Coupon> {
  /** With the field that names it first: "coupon_id", "promo_codes.1". */
  coupon: { terms: C; path: string } | undefined
  affiliateLink: AffiliateLink | undefined
}

/**
 * Chooses the coupon and the affiliate link of an order (contract "Checkout sessions"): at most one of each; the same
 * one named twice counts once. An unusable `affiliate_code` is ignored, every other unusable code is a violation. A link that
 * was applied before stays, even if it is disabled now.
 */
export function chooseCodes<C extends Coupon>(
  { customerId, couponId, promoCodes, affiliateCode, affiliateLinkId }: OrderCodes,
  known: KnownCodes<C>,
  now: Date,
): ChosenCodes<C> & { violations: Violation[] } {
  const chosen: ChosenCodes<C> = { coupon: undefined, affiliateLink: undefined }
  const violations: Violation[] = []

  function chooseCoupon(terms: C, path: string): void {
    if (!chosen.coupon) {
      chosen.coupon = { terms, path }
      violations.push(...usageViolations(terms, path, customerId, now))
    } else if (chosen.coupon.terms.id !== terms.id) {
      violations.push(violation(path, 'exclusive', 'is a second coupon'))
    }
  }

  function chooseAffiliateLink(link: AffiliateLink, path = 'affiliate_link_id'): void {
    if (!chosen.affiliateLink) chosen.affiliateLink = link
    else if (chosen.affiliateLink.id !== link.id) {
      violations.push(violation(path, 'exclusive', 'is a second affiliate link'))
    }
  }

  const applied = known.affiliateLinks.find(({ id }) => id === affiliateLinkId)
  if (applied) chooseAffiliateLink(applied)
  if (couponId !== undefined) {
    const coupon = known.coupons.find(({ id }) => id === couponId)
    if (coupon) chooseCoupon(coupon, 'coupon_id')
    else violations.push(violation('coupon_id', 'reference', 'is not a coupon in this store'))
  }
  for (const [index, code] of promoCodes.entries()) {
    const path = `promo_codes.${index}`
    const coupon = withCode(known.coupons, code)
    const link = withCode(known.affiliateLinks, code)
    if (coupon) chooseCoupon(coupon, path)
    else if (link?.enabled) chooseAffiliateLink(link, path)
    else if (link) violations.push(notUsable(path, 'affiliate-disabled'))
    else violations.push(violation(path, 'reference', 'is not a valid code in this store'))
  }
  const link = affiliateCode === undefined ? undefined : withCode(known.affiliateLinks, affiliateCode)
  if (link?.enabled) chooseAffiliateLink(link, 'affiliate_code')
  return { ...chosen, violations }
}

/** The form in which codes are compared and stored. */
export function foldCode(code: string): string {
  return foldText(code.trim())
}

/** A code that exists but cannot be used in this order. */
export function notUsable(path: string, reason: keyof typeof reasons): Violation {
  return violation(path, 'reference', reasons[reason], reason)
}

function withCode<T extends { code: string }>(items: readonly T[], code: string): T | undefined {
  const folded = foldCode(code)
  return items.find((item) => foldCode(item.code) === folded)
}

/** Why the customer cannot use the coupon now, regardless of the order's lines. Only the first reason is reported. */
function usageViolations(coupon: Coupon, path: string, customerId: string, now: Date): Violation[] {
  if (!coupon.enabled) return [notUsable(path, 'coupon-disabled')]
  if (coupon.usableAt !== null && coupon.usableAt > now) return [notUsable(path, 'coupon-not-started')]
  if (coupon.expiresAt !== null && coupon.expiresAt <= now) return [notUsable(path, 'coupon-expired')]
  if (coupon.usableByCustomerId !== null && coupon.usableByCustomerId !== customerId) {
    return [notUsable(path, 'coupon-other-customer')]
  }
  return []
}

const reasons = {
  'coupon-disabled': 'the coupon is disabled',
  'coupon-not-started': 'the coupon cannot be used yet',
  'coupon-expired': 'the coupon has expired',
  'coupon-exhausted': 'the coupon has been used up',
  'coupon-customer-limit': 'the customer has reached the limit of the coupon',
  'coupon-other-customer': 'the coupon is for another customer',
  'coupon-below-minimum': 'the order is below the minimum value of the coupon',
  'coupon-out-of-scope': 'the coupon applies to nothing in the order',
  'affiliate-disabled': 'the affiliate link is disabled',
} as const
