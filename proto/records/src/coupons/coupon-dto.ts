import { couponLimits } from '@storekeep/proto/conventions/limits'
import type { Coupon } from '@storekeep/proto/coupons/v1/coupon'
import { z } from 'zod'
import { nameOf } from '../schemas/enums.ts'
import { flakeId, int32, int64 } from '../schemas/fields.ts'
import { auditDto, auditExample, auditFields, idFields } from '../schemas/record.ts'
import { dateTime, printTime } from '../schemas/times.ts'
import { couponDuration, discountType, discountTypeValues, durationValues } from './coupon-enums.ts'

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
    'In per mille for `percent`, 1 to 1000 (125 = 12.5%); in the smallest unit of the currency for `amount`, at least 1.',
  discount_apply_individually: 'Whether an `amount` is deducted once per unit instead of once per order.',
  discount_apply_before_sales:
    'Stored for later use: whether the discount applies before sales. There are no sales yet.',
  apply_to_products:
    'Products that the coupon applies to, in addition to products with any of the tags. Without products and tags it ' +
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

export const couponDtoSchema = z
  .object({
    ...idFields('coupon'),
    version_id: flakeId.describe('Id of this version of the coupon. Every change creates a new version.'),
    enabled: z.boolean().describe(couponText.enabled),
    code: z.string().describe(couponText.code),
    note: z.string().nullable().describe(couponText.note),
    duration: couponDuration.describe(couponText.duration),
    duration_in_months: int32(1).nullable().describe(couponText.duration_in_months),
    duration_in_intervals: int32(1).nullable().describe(couponText.duration_in_intervals),
    discount_type: discountType.describe(couponText.discount_type),
    discount_amount: int64(0).describe(couponText.discount_amount),
    discount_apply_individually: z.boolean().describe(couponText.discount_apply_individually),
    discount_apply_before_sales: z.boolean().describe(couponText.discount_apply_before_sales),
    apply_to_products: z.array(flakeId).nullable().describe(couponText.apply_to_products),
    apply_to_tags: z.array(flakeId).nullable().describe(couponText.apply_to_tags),
    usable_by_customer_id: flakeId.nullable().describe(couponText.usable_by_customer_id),
    minimum_order_value: int64(0).describe(couponText.minimum_order_value),
    redeem_limit_store_enabled: z.boolean().describe(couponText.redeem_limit_store_enabled),
    redeem_limit_store_amount: int64(0).describe(couponText.redeem_limit_store_amount),
    redeem_limit_customer_enabled: z.boolean().describe(couponText.redeem_limit_customer_enabled),
    redeem_limit_customer_amount: int64(0).describe(couponText.redeem_limit_customer_amount),
    usable_on_one_time_purchase: z.boolean().describe(couponText.usable_on_one_time_purchase),
    usable_on_subscription: z.boolean().describe(couponText.usable_on_subscription),
    usable_at: dateTime.nullable().describe(couponText.usable_at),
    expires_at: dateTime.nullable().describe(couponText.expires_at),
    ...auditFields,
  })
  .meta({ id: 'CouponDto', description: 'A discount that buyers redeem with a code.' })

export type CouponDto = z.input<typeof couponDtoSchema>

export function couponDto(coupon: Coupon | undefined): CouponDto {
  if (!coupon) throw new Error('A service returned no coupon.')
  return {
    id: coupon.id,
    store_id: coupon.storeId,
    version_id: coupon.versionId,
    enabled: coupon.enabled,
    code: coupon.code,
    note: coupon.note ?? null,
    duration: nameOf(durationValues, coupon.duration),
    duration_in_months: coupon.durationInMonths ?? null,
    duration_in_intervals: coupon.durationInIntervals ?? null,
    discount_type: nameOf(discountTypeValues, coupon.discountType, 'unspecified'),
    discount_amount: Number(coupon.discountAmount),
    discount_apply_individually: coupon.discountApplyIndividually,
    discount_apply_before_sales: coupon.discountApplyBeforeSales,
    apply_to_products: nullIfEmpty(coupon.applyToProducts),
    apply_to_tags: nullIfEmpty(coupon.applyToTags),
    usable_by_customer_id: coupon.usableByCustomerId ?? null,
    minimum_order_value: Number(coupon.minimumOrderValue),
    redeem_limit_store_enabled: coupon.redeemLimitStoreEnabled,
    redeem_limit_store_amount: Number(coupon.redeemLimitStoreAmount),
    redeem_limit_customer_enabled: coupon.redeemLimitCustomerEnabled,
    redeem_limit_customer_amount: Number(coupon.redeemLimitCustomerAmount),
    usable_on_one_time_purchase: coupon.usableOnOneTimePurchase,
    usable_on_subscription: coupon.usableOnSubscription,
    usable_at: printTime(coupon.usableAt),
    expires_at: printTime(coupon.expiresAt),
    ...auditDto(coupon),
  }
}

/** An empty list means no restriction, as null does. */
function nullIfEmpty(ids: string[]): string[] | null {
  return ids.length > 0 ? ids : null
}

export const couponExample: CouponDto = {
  id: '411486491630370822',
  store_id: '411486491596816384',
  version_id: '411486491630370823',
  enabled: true,
  code: 'SUMMER',
  note: null,
  duration: 'once',
  duration_in_months: null,
  duration_in_intervals: null,
  discount_type: 'percent',
  discount_amount: 125,
  discount_apply_individually: false,
  discount_apply_before_sales: false,
  apply_to_products: null,
  apply_to_tags: null,
  usable_by_customer_id: null,
  minimum_order_value: 1000,
  redeem_limit_store_enabled: true,
  redeem_limit_store_amount: 500,
  redeem_limit_customer_enabled: true,
  redeem_limit_customer_amount: 1,
  usable_on_one_time_purchase: true,
  usable_on_subscription: true,
  usable_at: null,
  expires_at: '2027-01-01T00:00:00.000Z',
  ...auditExample,
}
