import { sum } from '@storekeep/common/values'
import type { SubscriptionTerms } from './checkout-session.ts'
import type { PricedSession } from './price-session.ts'

/** What the codes of an order deduct, as the coupons service decided it. Amounts are minor units. */
export interface Discounts {
  coupon: Coupon | undefined
  affiliateLink: { id: string; discountAmount: bigint } | undefined
}

interface Coupon {
  id: string
  versionId: string
  code: string
  lineDiscounts: readonly bigint[]
  duration: CouponDuration
}

/** For how long a coupon discounts a subscription. `repeating`: exactly one of months and intervals. */
export type CouponDuration =
  | { kind: 'once' | 'forever' }
  | { kind: 'repeating'; months: number | null; intervals: number | null }

export const noDiscounts: Discounts = { coupon: undefined, affiliateLink: undefined }

/**
 * The session with these discounts in place of any that it had, and without tax (contract "Totals").
 * @throws Error if the discounts do not fit the session: any guess would be a wrong price
 */
export function applyDiscounts<S extends PricedSession>(session: S, { coupon, affiliateLink }: Discounts): S {
  const lineDiscounts = coupon?.lineDiscounts ?? session.lines.map(() => 0n)
  if (lineDiscounts.length !== session.lines.length) throw new Error('the discounts belong to a different order')
  const lines = session.lines.map((line, index) => {
    const discountAmount = lineDiscounts[index] ?? 0n
    const totalAmount = line.unitPrice * BigInt(line.quantity) - discountAmount
    return { ...line, discountAmount, totalAmount, netAmount: null, taxAmount: null }
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
    tax: null,
    subscription: session.subscription && {
      ...session.subscription,
      discountedPeriods: coupon ? discountedPeriods(coupon.duration, session.subscription) : null,
    },
    couponDiscountAmount,
    affiliateDiscountAmount,
    totalAmount,
  }
}

/**
 * How many periods of a subscription the coupon discounts, counting the first (contract "Coupons"). A period is discounted
 * if it starts within the months of the coupon.
 * @returns null for all periods
 */
export function discountedPeriods(
  duration: CouponDuration,
  { intervalValue, intervalScale }: Pick<SubscriptionTerms, 'intervalValue' | 'intervalScale'>,
): number | null {
  switch (duration.kind) {
    case 'forever':
      return null
    case 'once':
      return 1
    case 'repeating': {
      const { intervals, months } = duration
      return intervals ?? Math.ceil(((months ?? 1) * lengths.month) / (intervalValue * lengths[intervalScale]))
    }
  }
}

/** In twelfths of a day, which are integers: a year has 365 days and a month is a twelfth of it. */
const lengths = { day: 12, week: 84, month: 365, year: 4380 } as const
