import { isDeepStrictEqual } from 'node:util'
import { fieldsOf, maskedFields, pick } from '@storekeep/common/values'
import { type CouponState, couponFields } from './coupon.ts'
import { type CouponInput, checkCoupon } from './coupon-draft.ts'

/** The fields that a PATCH changes, not validated. */
export type CouponChange = Partial<CouponInput>

/**
 * The requested change. Fields outside the mask are ignored.
 * @throws ServiceFault `bad-request` for an unknown field in the mask
 */
export function readChange(input: CouponInput, mask: readonly string[]): CouponChange {
  return pick(input, maskedFields(couponFields, mask))
}

/**
 * The terms after the change; undefined if nothing changes.
 * @throws ServiceFault `validation-failed` naming every invalid field of the changed coupon
 */
export function applyChange(coupon: CouponState, change: CouponChange): CouponState | undefined {
  const before = pick(coupon, fieldsOf(couponFields))
  const after = checkCoupon({ ...before, ...change })
  return isDeepStrictEqual(after, before) ? undefined : after
}
