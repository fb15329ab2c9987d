import { isDeepStrictEqual } from 'node:util'
import { maskedFields, pick } from '@storekeep/common/values'
import type { CouponState } from './coupon.ts'
import { type CouponInput, checkCoupon } from './coupon-draft.ts'

/** The fields that a PATCH may change, by their names in a field mask. */
const maskMembers = {
  enabled: 'enabled',
  code: 'code',
  note: 'note',
  duration: 'duration',
  duration_in_months: 'durationInMonths',
  duration_in_intervals: 'durationInIntervals',
  discount_type: 'discountType',
  discount_amount: 'discountAmount',
  discount_apply_individually: 'discountApplyIndividually',
  discount_apply_before_sales: 'discountApplyBeforeSales',
  apply_to_products: 'applyToProducts',
  apply_to_tags: 'applyToTags',
  usable_by_customer_id: 'usableByCustomerId',
  minimum_order_value: 'minimumOrderValue',
  redeem_limit_store_enabled: 'redeemLimitStoreEnabled',
  redeem_limit_store_amount: 'redeemLimitStoreAmount',
  redeem_limit_customer_enabled: 'redeemLimitCustomerEnabled',
  redeem_limit_customer_amount: 'redeemLimitCustomerAmount',
  usable_on_one_time_purchase: 'usableOnOneTimePurchase',
  usable_on_subscription: 'usableOnSubscription',
  usable_at: 'usableAt',
  expires_at: 'expiresAt',
} as const satisfies Record<string, keyof CouponState>

/** The fields that a PATCH changes, not validated. */
export type CouponChange = Partial<CouponInput>

/**
 * The requested change. Fields outside the mask are ignored.
 * @throws ServiceFault `bad-request` for an unknown field in the mask
 */
export function readChange(input: CouponInput, mask: readonly string[]): CouponChange {
  return pick(input, maskedFields(maskMembers, mask))
}

/**
 * The terms after the change; undefined if nothing changes.
 * @throws ServiceFault `validation-failed` naming every invalid field of the changed coupon
 */
export function applyChange(coupon: CouponState, change: CouponChange): CouponState | undefined {
  const before = pick(coupon, Object.values(maskMembers))
  const after = checkCoupon({ ...before, ...change })
  return isDeepStrictEqual(after, before) ? undefined : after
}
