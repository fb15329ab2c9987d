import { type Violation, violation } from '@storekeep/common/errors'

/** The part of a coupon that decides whether and how it is used. */
export interface CouponTerms {
  id: string
  versionId: string
  enabled: boolean
  discountType: 'percent' | 'amount'
  /** Permille, or minor units. */
  discountAmount: bigint
  /** An amount is taken off once per unit instead of once per order. */
  applyIndividually: boolean
  applyToProducts: readonly string[]
  applyToTags: readonly string[]
  usableByCustomerId: string | null
  minimumOrderValue: bigint
  usableOnOneTimePurchase: boolean
  usableOnSubscription: boolean
  usableAt: Date | null
  expiresAt: Date | null
}

/** The part of an affiliate link that decides whether and how it is used. */
export interface AffiliateTerms {
  id: string
  enabled: boolean
  applyForSubscriptions: boolean
  discountType: 'none' | 'fixed' | 'percentage'
  /** Minor units, or permille. */
  discountAmount: bigint
}

/** What has a code. When both have it, the coupon is meant. */
export interface CodeMeaning {
  coupon: CouponTerms | undefined
  affiliate: AffiliateTerms | undefined
}

/** What the codes of an order mean, each at the place where the order names it. */
export interface Codes {
  /** What `coupon_id` names; absent when nothing was named. */
  named?: { coupon: CouponTerms | undefined }
  /** One for each of `promo_codes`. */
  promo: readonly CodeMeaning[]
  /** Of `affiliate_code`; undefined when it was not given or means nothing. */
  affiliate: AffiliateTerms | undefined
}

/** The one coupon and the one affiliate link of an order, each with the path by which it came. */
export interface ChosenCodes {
  coupon: { terms: CouponTerms; path: string } | undefined
  affiliate: { terms: AffiliateTerms; path: string } | undefined
}

/**
 * The coupon and the affiliate link that an order uses: at most one of each, the same one twice counts once. An
 * `affiliate_code` that is not usable is passed over; anything else that is not is a violation.
 */
export function chooseCodes(codes: Codes, { customerId, now }: Buyer): ChosenCodes & { violations: Violation[] } {
  const chosen: ChosenCodes = { coupon: undefined, affiliate: undefined }
  const violations: Violation[] = []

  function takeCoupon(terms: CouponTerms, path: string): void {
    if (chosen.coupon) {
      if (chosen.coupon.terms.id !== terms.id) violations.push(violation(path, 'exclusive', 'is a second coupon'))
      return
    }
    chosen.coupon = { terms, path }
    violations.push(...couponViolations(terms, path, { customerId, now }))
  }

  function takeAffiliate(terms: AffiliateTerms, path: string): void {
    if (!chosen.affiliate) chosen.affiliate = { terms, path }
    else if (chosen.affiliate.terms.id !== terms.id) {
      violations.push(violation(path, 'exclusive', 'is a second affiliate link'))
    }
  }

  if (codes.named) {
    const { coupon } = codes.named
    if (coupon) takeCoupon(coupon, 'coupon_id')
    else violations.push(violation('coupon_id', 'reference', 'is not a coupon of the store'))
  }
  for (const [index, { coupon, affiliate }] of codes.promo.entries()) {
    const path = `promo_codes.${index}`
    if (coupon) takeCoupon(coupon, path)
    else if (affiliate?.enabled) takeAffiliate(affiliate, path)
    else if (affiliate) violations.push(notUsable(path, 'affiliate-disabled'))
    else violations.push(violation(path, 'reference', 'is not a code of the store'))
  }
  if (codes.affiliate?.enabled) takeAffiliate(codes.affiliate, 'affiliate_code')
  return { ...chosen, violations }
}

/** A coupon or link that exists and cannot be used here, with the reason as the code. */
export function notUsable(path: string, reason: keyof typeof reasons): Violation {
  return violation(path, 'reference', reasons[reason], reason)
}

const reasons = {
  'coupon-disabled': 'the coupon is disabled',
  'coupon-not-started': 'the coupon is not usable yet',
  'coupon-expired': 'the coupon has expired',
  'coupon-exhausted': 'the coupon has been used up',
  'coupon-customer-limit': 'the customer has used up the coupon',
  'coupon-other-customer': 'the coupon is for another customer',
  'coupon-below-minimum': 'the order is below the minimum value of the coupon',
  'coupon-out-of-scope': 'the coupon applies to nothing in the order',
  'affiliate-disabled': 'the affiliate link is disabled',
} as const

interface Buyer {
  customerId: string
  now: Date
}

/** What speaks against a coupon whatever is bought; the first reason counts. */
function couponViolations(terms: CouponTerms, path: string, { customerId, now }: Buyer): Violation[] {
  if (!terms.enabled) return [notUsable(path, 'coupon-disabled')]
  if (terms.usableAt !== null && terms.usableAt > now) return [notUsable(path, 'coupon-not-started')]
  if (terms.expiresAt !== null && terms.expiresAt <= now) return [notUsable(path, 'coupon-expired')]
  if (terms.usableByCustomerId !== null && terms.usableByCustomerId !== customerId) {
    return [notUsable(path, 'coupon-other-customer')]
  }
  return []
}
