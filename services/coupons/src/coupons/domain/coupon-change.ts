import { isDeepStrictEqual } from 'node:util'
import { maskedFields, pick } from '@storekeep/common/values'
import type { CouponState } from './coupon.ts'
import { type CouponInput, checkCoupon } from './coupon-draft.ts'

/** Members that a PATCH may name, by their names in a field mask. */
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

/** The members that a PATCH names; nothing in them has been checked. */
export type CouponChange = Partial<CouponInput>

/**
 * The change that a request asks for. Members outside the mask are not looked at.
 * @throws ServiceFault `bad-request` for a mask that names anything else
 */
export function readChange(input: CouponInput, mask: readonly string[]): CouponChange {
  return pick(input, maskedFields(maskMembers, mask))
}

/**
 * The terms after the change, undefined when they are no other than before.
 * @throws ServiceFault `validation-failed` naming every member that is wrong in the whole that would come out
 */
export function applyChange(coupon: CouponState, change: CouponChange): CouponState | undefined {
  const before = pick(coupon, Object.values(maskMembers))
  const after = checkCoupon({ ...before, ...change })
  return isDeepStrictEqual(after, before) ? undefined : after
}
