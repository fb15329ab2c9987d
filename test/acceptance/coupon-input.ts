import { type CouponInputBody, couponMembers, fresh } from '@storekeep/test/kit'

/** The members that a new coupon needs, with a code that no other has. */
export function neededMembers() {
  return { ...couponMembers, code: fresh.couponCode() }
}

/** The other members, as a coupon has them that was made without. */
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

/** Body of a create. */
export function newCoupon(change: object = {}): object {
  return { ...neededMembers(), ...change }
}
