import { type CouponInputBody, fresh } from '@storekeep/test/kit'

/** The members that a new coupon needs: 10 % off everything, without limits, with a code that no other has. */
export function neededMembers() {
  return {
    enabled: true,
    code: fresh.couponCode(),
    duration: 'once',
    discount_type: 'percent',
    discount_amount: 100,
    discount_apply_individually: false,
    discount_apply_before_sales: false,
    minimum_order_value: 0,
    redeem_limit_store_enabled: false,
    redeem_limit_store_amount: 0,
    redeem_limit_customer_enabled: false,
    redeem_limit_customer_amount: 0,
    usable_on_one_time_purchase: true,
    usable_on_subscription: true,
  }
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
