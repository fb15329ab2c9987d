import { type Audit, auditColumns, type Columns, selectColumns } from '@storekeep/common/postgres'
import { type Coupon, couponFields } from '../domain/coupon.ts'

/** A coupon as the repositories return it. Ids are int8 and therefore strings. */
export interface CouponRow extends Coupon, Audit {}

export const couponTable = {
  id: 'id',
  storeId: 'store_id',
  versionId: 'version_id',
  ...couponFields,
  ...auditColumns,
} as const satisfies Columns<keyof CouponRow>

/** The columns of a CouponRow, in a statement that reads from `coupon`; see `couponFromColumns`. */
export const couponColumns = selectColumns(couponTable)

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
