import { errors, type Violation, violation } from '@storekeep/common/errors'
import { idViolations } from '@storekeep/common/flake'
import { maxJsonInteger, textViolations } from '@storekeep/common/values'
import { couponLimits } from '@storekeep/proto/conventions/limits'
import { type CouponDuration, type CouponState, couponDurations, type DiscountType, discountTypes } from './coupon.ts'

/** A coupon as requested, not validated. */
export type CouponInput = Omit<CouponState, 'duration' | 'discountType'> & {
  /** "invalid" if it is unknown. */
  duration: CouponDuration | 'invalid'
  discountType: DiscountType | 'invalid'
}

/**
 * Validates the terms of a coupon as a whole, new or changed.
 * @throws ServiceFault `validation-failed` naming every invalid field
 */
export function checkCoupon(input: CouponInput): CouponState {
  const { duration, discountType } = input
  const code = input.code.trim()
  const violations = [
    ...codeViolations(code),
    ...textViolations('note', input.note ?? '', 0, couponLimits.noteLength),
    ...durationViolations(input),
    ...discountViolations(input),
    ...idListViolations('apply_to_products', input.applyToProducts),
    ...idListViolations('apply_to_tags', input.applyToTags),
    ...idViolations('usable_by_customer_id', input.usableByCustomerId),
    ...amountViolations('minimum_order_value', input.minimumOrderValue, 0n),
    ...limitViolations('redeem_limit_store_amount', input.redeemLimitStoreEnabled, input.redeemLimitStoreAmount),
    ...limitViolations(
      'redeem_limit_customer_amount',
      input.redeemLimitCustomerEnabled,
      input.redeemLimitCustomerAmount,
    ),
    ...usageViolations(input),
    ...timeViolations(input),
  ]
  if (duration === 'invalid' || discountType === 'invalid' || violations.length > 0) {
    throw errors.validationFailed(violations)
  }
  return {
    ...input,
    code,
    duration,
    discountType,
    applyToProducts: [...new Set(input.applyToProducts)],
    applyToTags: [...new Set(input.applyToTags)],
  }
}

function codeViolations(code: string): Violation[] {
  if (code === '') return [violation('code', 'required', 'is required')]
  return textViolations('code', code, 1, couponLimits.codeLength)
}

function durationViolations({ duration, durationInMonths: months, durationInIntervals: intervals }: CouponInput) {
  const lengths = [
    { path: 'duration_in_months', length: months },
    { path: 'duration_in_intervals', length: intervals },
  ].filter(({ length }) => length !== null)
  if (duration === 'invalid') return [violation('duration', 'enum', `must be one of ${couponDurations.join(', ')}`)]
  if (duration !== 'repeating') {
    return lengths.map(({ path }) => violation(path, 'exclusive', 'must be null unless the duration is repeating'))
  }
  if (lengths.length === 0) {
    const message = 'is required for a repeating coupon unless duration_in_intervals is given'
    return [violation('duration_in_months', 'required', message)]
  }
  if (lengths.length === 2) {
    return [violation('duration_in_intervals', 'exclusive', 'must be null if duration_in_months is given')]
  }
  return lengths
    .filter(({ length }) => (length ?? 0) < 1)
    .map(({ path }) => violation(path, 'min', 'must be at least 1'))
}

function discountViolations({ discountType, discountAmount }: CouponInput): Violation[] {
  if (discountType === 'invalid') {
    return [violation('discount_type', 'enum', `must be one of ${discountTypes.join(', ')}`)]
  }
  if (discountType === 'percent' && discountAmount > BigInt(couponLimits.percent)) {
    return [violation('discount_amount', 'max', 'must be at most 1000, which is 100 %')]
  }
  return amountViolations('discount_amount', discountAmount, 1n)
}

function idListViolations(path: string, ids: readonly string[]): Violation[] {
  if (ids.length > couponLimits.idsPerScope)
    return [violation(path, 'length', `must have at most ${couponLimits.idsPerScope} items`)]
  return ids.flatMap((id, index) => idViolations(`${path}.${index}`, id))
}

/** A disabled limit may be 0. */
function limitViolations(path: string, enabled: boolean, amount: bigint): Violation[] {
  return amountViolations(path, amount, enabled ? 1n : 0n)
}

function amountViolations(path: string, amount: bigint, min: bigint): Violation[] {
  if (amount < min) return [violation(path, 'min', `must be at least ${min}`)]
  return amount > maxJsonInteger ? [violation(path, 'max', `must be at most ${maxJsonInteger}`)] : []
}

function usageViolations({ usableOnOneTimePurchase, usableOnSubscription }: CouponInput): Violation[] {
  if (usableOnOneTimePurchase || usableOnSubscription) return []
  const message = 'must be true unless usable_on_subscription is'
  return [violation('usable_on_one_time_purchase', 'required', message)]
}

function timeViolations({ usableAt, expiresAt }: CouponInput): Violation[] {
  if (usableAt === null || expiresAt === null || expiresAt > usableAt) return []
  return [violation('expires_at', 'min', 'must be later than usable_at')]
}
