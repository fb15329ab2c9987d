import { couponLimits } from '@storekeep/proto/conventions/limits'

/** Descriptions of the fields of a coupon, the same in requests and responses. */
export const couponText = {
  enabled: 'Whether the coupon can be redeemed.',
  code: `Code that buyers enter: 1 to ${couponLimits.codeLength} characters, unique within the store regardless of case.`,
  note: 'Internal note, for your staff.',
  duration:
    'How long the discount applies to a subscription. `repeating` requires one of `duration_in_months` and ' +
    '`duration_in_intervals`.',
  duration_in_months: 'Months for which a `repeating` discount applies; null for other durations.',
  duration_in_intervals: 'Billing intervals for which a `repeating` discount applies; null for other durations.',
  discount_type: 'Whether `discount_amount` is a percentage or an amount of money.',
  discount_amount:
    'In permille for `percent`, 1 to 1000 (125 is 12.5 %); in the smallest unit of the currency for `amount`, at least 1.',
  discount_apply_individually: 'Whether an `amount` is deducted once per unit instead of once per order.',
  discount_apply_before_sales:
    'Stored for later use: whether the discount applies before sales. There are no sales yet.',
  apply_to_products:
    'Products that the coupon applies to, in addition to those with one of the tags. Without products and tags it ' +
    'applies to the whole order.',
  apply_to_tags: 'Tags whose products the coupon applies to: opaque ids from your own system.',
  usable_by_customer_id: 'The only customer who can redeem the coupon; null for all customers.',
  minimum_order_value: 'Minimum subtotal of the order, in the smallest unit of the currency.',
  redeem_limit_store_enabled: 'Whether `redeem_limit_store_amount` applies.',
  redeem_limit_store_amount: 'Maximum number of redemptions in the store; at least 1 when the limit is enabled.',
  redeem_limit_customer_enabled: 'Whether `redeem_limit_customer_amount` applies.',
  redeem_limit_customer_amount: 'Maximum number of redemptions per customer; at least 1 when the limit is enabled.',
  usable_on_one_time_purchase:
    'Whether the coupon applies to one-time purchases. This or `usable_on_subscription` must be true.',
  usable_on_subscription: 'Whether the coupon applies to subscriptions.',
  usable_at: 'When the coupon becomes redeemable; null for immediately.',
  expires_at: 'When the coupon stops being redeemable, later than `usable_at`; null for never.',
} as const
