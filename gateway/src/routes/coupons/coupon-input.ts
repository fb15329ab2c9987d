import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { present } from '@storekeep/common/message'
import { z } from 'zod'
import { flakeId, int32, int64, text } from '../../schemas/fields.ts'
import { timeInput } from '../../schemas/times.ts'
import { couponDuration, discountTypeValues, durationValues, newDiscountType } from './coupon-enums.ts'

/** Members that have to be there, and cannot be cleared. How they have to fit each other is for the service to say. */
const needed = {
  enabled: z.boolean(),
  code: z
    .string()
    .trim()
    .pipe(text(1, 64))
    .meta({
      description: 'What customers type. Trimmed; unique in the store, in any case.',
      override: { minLength: 1, maxLength: 64 },
    }),
  duration: couponDuration.meta({
    description: 'For subscriptions: `repeating` needs `duration_in_months` or `duration_in_intervals`.',
  }),
  discount_type: newDiscountType,
  discount_amount: int64(1).meta({ description: 'Permille, 1 to 1000 (125 is 12.5 %), or minor units.' }),
  discount_apply_individually: z.boolean().meta({
    description: 'An amount is taken off once per unit instead of once per order.',
  }),
  discount_apply_before_sales: z.boolean(),
  minimum_order_value: int64(0).meta({ description: 'Minor units.' }),
  redeem_limit_store_enabled: z.boolean(),
  redeem_limit_store_amount: int64(0).meta({ description: 'How often it can be redeemed; at least 1 when enabled.' }),
  redeem_limit_customer_enabled: z.boolean(),
  redeem_limit_customer_amount: int64(0).meta({ description: 'How often by each customer; at least 1 when enabled.' }),
  usable_on_one_time_purchase: z.boolean().meta({ description: 'This or `usable_on_subscription` has to be true.' }),
  usable_on_subscription: z.boolean(),
}

/** Members that a coupon may do without; null clears them. */
const optional = {
  note: text(0, 1000).nullish().meta({ description: 'For your staff.' }),
  duration_in_months: int32(1).nullish().meta({ description: 'Of a repeating coupon; null for others.' }),
  duration_in_intervals: int32(1).nullish().meta({ description: 'Of a repeating coupon; null for others.' }),
  apply_to_products: idList('products'),
  apply_to_tags: idList('tags'),
  usable_by_customer_id: flakeId.nullish().meta({ description: 'The only customer who may use it.' }),
  usable_at: timeInput.nullish().meta({ description: 'When it begins to be usable.' }),
  expires_at: timeInput.nullish().meta({ description: 'When it stops being usable; later than `usable_at`.' }),
}

function idList(what: string) {
  return z
    .array(flakeId)
    .max(1000)
    .nullish()
    .meta({ description: `Only for these ${what}. Without products and tags: for the whole order.` })
}

/** Body of a create. */
export const newCoupon = z.object({ ...needed, ...optional }).meta({ id: 'CreateCouponDto' })

/** Body of a PATCH: what is absent stays. */
export const couponPatch = z
  .object({ ...z.object(needed).partial().shape, ...optional })
  .meta({ id: 'UpdateCouponDto' })

export const newCouponExample: z.input<typeof newCoupon> = {
  enabled: true,
  code: 'SUMMER',
  duration: 'once',
  discount_type: 'percent',
  discount_amount: 125,
  discount_apply_individually: false,
  discount_apply_before_sales: false,
  minimum_order_value: 1000,
  redeem_limit_store_enabled: true,
  redeem_limit_store_amount: 500,
  redeem_limit_customer_enabled: true,
  redeem_limit_customer_amount: 1,
  usable_on_one_time_purchase: true,
  usable_on_subscription: false,
  expires_at: '2027-01-01T00:00:00Z',
}

/** The members as the coupons service takes them; what is absent or null is left out. */
export function couponInput(body: z.output<typeof couponPatch>) {
  const { duration, discount_type, usable_at, expires_at } = body
  return present({
    enabled: body.enabled,
    code: body.code,
    note: body.note,
    duration: duration && durationValues[duration],
    durationInMonths: body.duration_in_months,
    durationInIntervals: body.duration_in_intervals,
    discountType: discount_type && discountTypeValues[discount_type],
    discountAmount: amount(body.discount_amount),
    discountApplyIndividually: body.discount_apply_individually,
    discountApplyBeforeSales: body.discount_apply_before_sales,
    applyToProducts: body.apply_to_products,
    applyToTags: body.apply_to_tags,
    usableByCustomerId: body.usable_by_customer_id,
    minimumOrderValue: amount(body.minimum_order_value),
    redeemLimitStoreEnabled: body.redeem_limit_store_enabled,
    redeemLimitStoreAmount: amount(body.redeem_limit_store_amount),
    redeemLimitCustomerEnabled: body.redeem_limit_customer_enabled,
    redeemLimitCustomerAmount: amount(body.redeem_limit_customer_amount),
    usableOnOneTimePurchase: body.usable_on_one_time_purchase,
    usableOnSubscription: body.usable_on_subscription,
    usableAt: usable_at && timestampFromDate(usable_at),
    expiresAt: expires_at && timestampFromDate(expires_at),
  })
}

/** The members that the body names, null ones too: what the PATCH changes. */
export function couponMask(body: z.output<typeof couponPatch>): string[] {
  return Object.keys(couponPatch.shape).filter((name) => body[name as keyof typeof body] !== undefined)
}

function amount(value: number | undefined): bigint | undefined {
  return value === undefined ? undefined : BigInt(value)
}
