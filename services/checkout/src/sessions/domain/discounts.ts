import { sum } from '@storekeep/common/values'
import { type CouponDuration, discountedPeriods } from './coupon-duration.ts'
import type { PricedSession } from './price-session.ts'

/** What the codes of an order deduct, as the coupons service decided it. Amounts are minor units. */
export interface Discounts {
  coupon: Coupon | undefined
  affiliateLink: { id: string; discountAmount: bigint } | undefined
}

interface Coupon {
  id: string
  versionId: string
  /** Null from the previous release of coupons. */
  code: string | null
  lineDiscounts: readonly bigint[]
  duration: CouponDuration
}

export const noDiscounts: Discounts = { coupon: undefined, affiliateLink: undefined }

/**
 * The session with these discounts in place of any that it had (contract "Totals").
 * @throws Error if the discounts do not fit the session: any guess would be a wrong price
 */
export function applyDiscounts<S extends PricedSession>(session: S, { coupon, affiliateLink }: Discounts): S {
  const lineDiscounts = coupon?.lineDiscounts ?? session.lines.map(() => 0n)
  if (lineDiscounts.length !== session.lines.length) throw new Error('the discounts belong to a different order')
  const lines = session.lines.map((line, index) => {
    const discountAmount = lineDiscounts[index] ?? 0n
    return { ...line, discountAmount, totalAmount: line.unitPrice * BigInt(line.quantity) - discountAmount }
  })
  const couponDiscountAmount = sum(lineDiscounts)
  const affiliateDiscountAmount = affiliateLink?.discountAmount ?? 0n
  const totalAmount = session.subtotalAmount - couponDiscountAmount - affiliateDiscountAmount
  if (totalAmount < 0n || lines.some((line) => line.totalAmount < 0n)) {
    throw new Error('the discounts exceed the price')
  }
  return {
    ...session,
    lines,
    couponId: coupon?.id ?? null,
    couponVersionId: coupon?.versionId ?? null,
    couponCode: coupon?.code ?? null,
    affiliateLinkId: affiliateLink?.id ?? null,
    subscription: session.subscription && {
      ...session.subscription,
      discountedPeriods: coupon ? discountedPeriods(coupon.duration, session.subscription) : null,
    },
    couponDiscountAmount,
    affiliateDiscountAmount,
    totalAmount,
  }
}
