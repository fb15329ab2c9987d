import { raw } from 'sql-template-tag'
import type { Coupon } from '../domain/coupon.ts'

/** A coupon as the repositories return it. Ids and versions are int8 and therefore strings. */
export interface CouponRow extends Coupon {
  /** See `actorText`. */
  createdBy: string
  createdAt: Date
  updatedBy: string | null
  updatedAt: Date | null
  version: string
}

/** The columns of a CouponRow, in a statement that reads from `coupon`; see `couponFromColumns`. */
export const couponColumns = raw(`id, store_id as "storeId", version_id as "versionId", enabled, code, note, duration,
  duration_in_months as "durationInMonths", duration_in_intervals as "durationInIntervals",
  discount_type as "discountType", discount_amount as "discountAmount",
  discount_apply_individually as "discountApplyIndividually",
  discount_apply_before_sales as "discountApplyBeforeSales",
  apply_to_products as "applyToProducts", apply_to_tags as "applyToTags",
  usable_by_customer_id as "usableByCustomerId", minimum_order_value as "minimumOrderValue",
  redeem_limit_store_enabled as "redeemLimitStoreEnabled", redeem_limit_store_amount as "redeemLimitStoreAmount",
  redeem_limit_customer_enabled as "redeemLimitCustomerEnabled",
  redeem_limit_customer_amount as "redeemLimitCustomerAmount",
  usable_on_one_time_purchase as "usableOnOneTimePurchase", usable_on_subscription as "usableOnSubscription",
  usable_at as "usableAt", expires_at as "expiresAt",
  created_by as "createdBy", created_at as "createdAt", updated_by as "updatedBy", updated_at as "updatedAt", version`)

/** `couponColumns` as the driver returns them: amounts are strings. */
export type CouponColumns = Omit<CouponRow, Amount> & Record<Amount, string>

/** Changes and returns its argument, since a copy of 30 columns is expensive in a list. */
export function couponFromColumns(columns: CouponColumns): CouponRow {
  const others: Omit<CouponColumns, Amount> = columns
  return Object.assign(others, {
    discountAmount: amountOf(columns.discountAmount),
    minimumOrderValue: amountOf(columns.minimumOrderValue),
    redeemLimitStoreAmount: amountOf(columns.redeemLimitStoreAmount),
    redeemLimitCustomerAmount: amountOf(columns.redeemLimitCustomerAmount),
  })
}

/** Text of up to 15 digits is a number exactly, and V8 parses a number twice as fast as a bigint: a list has 400 amounts. */
function amountOf(text: string): bigint {
  return BigInt(text.length <= 15 ? Number(text) : text)
}

type Amount = 'discountAmount' | 'minimumOrderValue' | 'redeemLimitStoreAmount' | 'redeemLimitCustomerAmount'
