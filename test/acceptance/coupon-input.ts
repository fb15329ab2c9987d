import { type CouponInputBody, couponTerms, fresh } from '@storekeep/test/kit'

/** The required fields of a coupon, with a unique code. */
export function requiredFields() {
  return { ...couponTerms, code: fresh.couponCode() }
}

/** The defaults of the optional fields. */
export const nothingMore = {
  note: null,
  duration_in_months: null,
  duration_in_intervals: null,
  apply_to_products: null,
  apply_to_tags: null,
  usable_by_customer_id: null,
  usable_at: null,
  expires_at: null,
} as const satisfies Partial<CouponInputBody>

/** The body of a create request. */
export function newCoupon(change: object = {}): object {
  return { ...requiredFields(), ...change }
}
