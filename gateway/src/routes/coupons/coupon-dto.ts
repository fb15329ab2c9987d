import type { Coupon } from '@storekeep/proto/coupons/v1/coupon'
import { z } from 'zod'
import { actorDto, actorDtoSchema, actorExample } from '../../schemas/actor.ts'
import { nameOf } from '../../schemas/enums.ts'
import { flakeId, int32, int64 } from '../../schemas/fields.ts'
import { dateTime, printTime } from '../../schemas/times.ts'
import { couponDuration, discountType, discountTypeValues, durationValues } from './coupon-enums.ts'

export const couponDtoSchema = z
  .object({
    id: flakeId,
    store_id: flakeId,
    version_id: flakeId.meta({ description: 'Another one after each change.' }),
    enabled: z.boolean(),
    code: z.string(),
    note: z.string().nullable().meta({ description: 'For your staff.' }),
    duration: couponDuration,
    duration_in_months: int32(1).nullable(),
    duration_in_intervals: int32(1).nullable(),
    discount_type: discountType,
    discount_amount: int64(0).meta({ description: 'Permille (125 is 12.5 %) or minor units, by `discount_type`.' }),
    discount_apply_individually: z.boolean(),
    discount_apply_before_sales: z.boolean(),
    apply_to_products: z.array(flakeId).nullable(),
    apply_to_tags: z.array(flakeId).nullable(),
    usable_by_customer_id: flakeId.nullable(),
    minimum_order_value: int64(0),
    redeem_limit_store_enabled: z.boolean(),
    redeem_limit_store_amount: int64(0),
    redeem_limit_customer_enabled: z.boolean(),
    redeem_limit_customer_amount: int64(0),
    usable_on_one_time_purchase: z.boolean(),
    usable_on_subscription: z.boolean(),
    usable_at: dateTime.nullable(),
    expires_at: dateTime.nullable(),
    created_by: actorDtoSchema,
    created_at: dateTime,
    updated_by: actorDtoSchema.nullable(),
    updated_at: dateTime.nullable(),
  })
  .meta({ id: 'CouponDto' })

export type CouponDto = z.input<typeof couponDtoSchema>

/** A coupon as the public interface prints it; what has no value is null. */
export function couponDto(coupon: Coupon | undefined): CouponDto {
  if (!coupon?.createdAt) throw new Error('A service answered without the coupon.')
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
    apply_to_products: someOrNull(coupon.applyToProducts),
    apply_to_tags: someOrNull(coupon.applyToTags),
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
    created_by: actorDto(coupon.createdBy),
    created_at: printTime(coupon.createdAt),
    updated_by: coupon.updatedBy ? actorDto(coupon.updatedBy) : null,
    updated_at: printTime(coupon.updatedAt),
  }
}

/** An empty list restricts nothing, as no list does. */
function someOrNull(ids: string[]): string[] | null {
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
  usable_on_subscription: false,
  usable_at: null,
  expires_at: '2027-01-01T00:00:00.000Z',
  created_by: actorExample,
  created_at: '2026-11-20T14:35:17.000Z',
  updated_by: null,
  updated_at: null,
}
