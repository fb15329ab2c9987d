import type { SubscriptionTerms } from './checkout-session.ts'

/** For how long a coupon discounts a subscription. `repeating`: exactly one of months and intervals. */
export type CouponDuration =
  | { kind: 'once' | 'forever' }
  | { kind: 'repeating'; months: number | null; intervals: number | null }

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
