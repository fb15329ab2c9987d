/** The required fields of a coupon except its code: 10 % off everything, without limits. */
export const couponTerms = {
  enabled: true,
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
