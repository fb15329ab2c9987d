import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { present } from '@storekeep/common/message'
import { couponLimits } from '@storekeep/proto/conventions/limits'
import { couponText } from '@storekeep/records/coupons/coupon-dto'
import {
  couponDuration,
  discountTypeValues,
  durationValues,
  newDiscountType,
} from '@storekeep/records/coupons/coupon-enums'
import { flakeId, int32, int64, text } from '@storekeep/records/schemas/fields'
import { timeInput } from '@storekeep/records/schemas/times'
import { z } from 'zod'

const { codeLength, idsPerScope, noteLength } = couponLimits

/** Fields without a default. The coupons service validates how fields depend on each other. */
const required = {
  code: z
    .string()
    .trim()
    .pipe(text(1, codeLength))
    .meta({ description: couponText.code, override: { minLength: 1, maxLength: codeLength } }),
  discount_type: newDiscountType.describe(couponText.discount_type),
  discount_amount: int64(1).describe(couponText.discount_amount),
}

/** Fields that cannot be null; when absent on create, the coupons service applies their defaults. */
const defaulted = {
  enabled: z.boolean().describe(withDefault(couponText.enabled, 'true')),
  duration: couponDuration.describe(withDefault(couponText.duration, '`once`')),
  discount_apply_individually: z.boolean().describe(withDefault(couponText.discount_apply_individually, 'false')),
  discount_apply_before_sales: z.boolean().describe(withDefault(couponText.discount_apply_before_sales, 'false')),
  minimum_order_value: int64(0).describe(withDefault(couponText.minimum_order_value, '0')),
  redeem_limit_store_enabled: z.boolean().describe(withDefault(couponText.redeem_limit_store_enabled, 'false')),
  redeem_limit_store_amount: int64(0).describe(withDefault(couponText.redeem_limit_store_amount, '0')),
  redeem_limit_customer_enabled: z.boolean().describe(withDefault(couponText.redeem_limit_customer_enabled, 'false')),
  redeem_limit_customer_amount: int64(0).describe(withDefault(couponText.redeem_limit_customer_amount, '0')),
  usable_on_one_time_purchase: z.boolean().describe(withDefault(couponText.usable_on_one_time_purchase, 'true')),
  usable_on_subscription: z.boolean().describe(withDefault(couponText.usable_on_subscription, 'true')),
}

/** Null clears these fields. */
const nullable = {
  note: text(0, noteLength).nullish().describe(couponText.note),
  duration_in_months: int32(1).nullish().describe(couponText.duration_in_months),
  duration_in_intervals: int32(1).nullish().describe(couponText.duration_in_intervals),
  apply_to_products: z.array(flakeId).max(idsPerScope).nullish().describe(couponText.apply_to_products),
  apply_to_tags: z.array(flakeId).max(idsPerScope).nullish().describe(couponText.apply_to_tags),
  usable_by_customer_id: flakeId.nullish().describe(couponText.usable_by_customer_id),
  usable_at: timeInput.nullish().describe(couponText.usable_at),
  expires_at: timeInput.nullish().describe(couponText.expires_at),
}

function withDefault(description: string, value: string): string {
  return `${description} Default on create: ${value}.`
}

const optional = { ...z.object(defaulted).partial().shape, ...nullable }

export const newCoupon = z
  .object({ ...required, ...optional })
  .meta({ id: 'CreateCouponDto', description: 'A new coupon. Only the code and the discount are required.' })

export const couponPatch = z.object({ ...z.object(required).partial().shape, ...optional }).meta({
  id: 'UpdateCouponDto',
  description: 'Changes to a coupon. Omitted fields are left unchanged; null clears a nullable field.',
})

export const newCouponExample: z.input<typeof newCoupon> = {
  code: 'SUMMER',
  discount_type: 'percent',
  discount_amount: 125,
  minimum_order_value: 1000,
  redeem_limit_store_enabled: true,
  redeem_limit_store_amount: 500,
  redeem_limit_customer_enabled: true,
  redeem_limit_customer_amount: 1,
  expires_at: '2027-01-01T00:00:00Z',
}

/** The body as the coupons service expects it, without absent and null fields. */
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

/** The field mask of a PATCH: the fields in its body, including null ones. */
export function couponMask(body: z.output<typeof couponPatch>): string[] {
  return Object.keys(couponPatch.shape).filter((name) => body[name as keyof typeof body] !== undefined)
}

function amount(value: number | undefined): bigint | undefined {
  return value === undefined ? undefined : BigInt(value)
}
