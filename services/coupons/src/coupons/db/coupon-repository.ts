import type { Queryable, Transaction } from '@storekeep/common/postgres'
import { foldText } from '@storekeep/proto/conventions/folded-text'
import sql from 'sql-template-tag'
import type { CouponState } from '../domain/coupon.ts'
import { type CouponColumns, type CouponRow, couponColumns, couponFromColumns } from './schema.ts'

/** A coupon to insert. */
export interface NewCoupon extends CouponState {
  storeId: string
  createdBy: string
  createdAt: Date
}

/** @throws pg.DatabaseError if the code is taken; see `takenCode` */
export async function insertCoupon(tx: Transaction, coupon: NewCoupon): Promise<CouponRow> {
  const [row] = await tx.query<CouponColumns>(sql`
    insert into coupon (store_id, enabled, code, folded_code, note, duration, duration_in_months,
      duration_in_intervals, discount_type, discount_amount, discount_apply_individually, discount_apply_before_sales,
      apply_to_products, apply_to_tags, usable_by_customer_id, minimum_order_value, redeem_limit_store_enabled,
      redeem_limit_store_amount, redeem_limit_customer_enabled, redeem_limit_customer_amount,
      usable_on_one_time_purchase, usable_on_subscription, usable_at, expires_at, created_by, created_at)
    values (${coupon.storeId}, ${coupon.enabled}, ${coupon.code}, ${foldText(coupon.code)}, ${coupon.note},
      ${coupon.duration}, ${coupon.durationInMonths}, ${coupon.durationInIntervals}, ${coupon.discountType},
      ${coupon.discountAmount}, ${coupon.discountApplyIndividually}, ${coupon.discountApplyBeforeSales},
      ${coupon.applyToProducts}, ${coupon.applyToTags}, ${coupon.usableByCustomerId}, ${coupon.minimumOrderValue},
      ${coupon.redeemLimitStoreEnabled}, ${coupon.redeemLimitStoreAmount}, ${coupon.redeemLimitCustomerEnabled},
      ${coupon.redeemLimitCustomerAmount}, ${coupon.usableOnOneTimePurchase}, ${coupon.usableOnSubscription},
      ${coupon.usableAt}, ${coupon.expiresAt}, ${coupon.createdBy}, ${coupon.createdAt})
    returning ${couponColumns}`)
  return withVersionStored(tx, row)
}

export async function findCoupon(db: Queryable, storeId: string, id: string): Promise<CouponRow | undefined> {
  const [row] = await db.query<CouponColumns>(
    sql`select ${couponColumns} from coupon where store_id = ${storeId} and id = ${id}`,
  )
  return row && couponFromColumns(row)
}

/** The coupons with one of these folded codes, in any order. */
export async function findCouponsByCode(
  db: Queryable,
  storeId: string,
  foldedCodes: readonly string[],
): Promise<CouponRow[]> {
  const rows = await db.query<CouponColumns>(sql`
    select ${couponColumns} from coupon where store_id = ${storeId} and folded_code = any(${foldedCodes}::text[])`)
  return rows.map(couponFromColumns)
}

/** Locks the coupon until the transaction ends. */
export async function lockCoupon(tx: Transaction, storeId: string, id: string): Promise<CouponRow | undefined> {
  const [row] = await tx.query<CouponColumns>(
    sql`select ${couponColumns} from coupon where store_id = ${storeId} and id = ${id} for no key update`,
  )
  return row && couponFromColumns(row)
}

/**
 * Writes the terms of a coupon that the transaction has locked, and creates a new version.
 * @throws pg.DatabaseError if the code is taken; see `takenCode`
 */
export async function updateCouponState(
  tx: Transaction,
  { storeId, id }: Pick<CouponRow, 'storeId' | 'id'>,
  state: CouponState,
  { updatedBy, updatedAt }: { updatedBy: string; updatedAt: Date },
): Promise<CouponRow> {
  const [row] = await tx.query<CouponColumns>(sql`
    update coupon set
      enabled = ${state.enabled}, code = ${state.code}, folded_code = ${foldText(state.code)}, note = ${state.note},
      duration = ${state.duration}, duration_in_months = ${state.durationInMonths},
      duration_in_intervals = ${state.durationInIntervals}, discount_type = ${state.discountType},
      discount_amount = ${state.discountAmount}, discount_apply_individually = ${state.discountApplyIndividually},
      discount_apply_before_sales = ${state.discountApplyBeforeSales}, apply_to_products = ${state.applyToProducts},
      apply_to_tags = ${state.applyToTags}, usable_by_customer_id = ${state.usableByCustomerId},
      minimum_order_value = ${state.minimumOrderValue},
      redeem_limit_store_enabled = ${state.redeemLimitStoreEnabled},
      redeem_limit_store_amount = ${state.redeemLimitStoreAmount},
      redeem_limit_customer_enabled = ${state.redeemLimitCustomerEnabled},
      redeem_limit_customer_amount = ${state.redeemLimitCustomerAmount},
      usable_on_one_time_purchase = ${state.usableOnOneTimePurchase},
      usable_on_subscription = ${state.usableOnSubscription}, usable_at = ${state.usableAt},
      expires_at = ${state.expiresAt}, updated_by = ${updatedBy}, updated_at = ${updatedAt},
      version = version + 1, version_id = flake_id()
    where store_id = ${storeId} and id = ${id}
    returning ${couponColumns}`)
  return withVersionStored(tx, row)
}

/** Its versions and redemptions stay. */
export async function deleteLockedCoupon(tx: Transaction, { storeId, id }: CouponRow): Promise<void> {
  await tx.query(sql`delete from coupon where store_id = ${storeId} and id = ${id}`)
}

/** Stores the terms that a statement of the transaction has just written as a version, before the commit. */
function withVersionStored(tx: Transaction, row: CouponColumns | undefined): CouponRow {
  if (!row) throw new Error('a statement that writes a coupon returned no row')
  tx.enqueueBeforeCommit(sql`
    insert into coupon_version (id, store_id, coupon_id, terms, created_by, created_at)
    select version_id, store_id, id, to_jsonb(coupon) - ${notTerms}::text[],
      coalesce(updated_by, created_by), coalesce(updated_at, created_at)
    from coupon where store_id = ${row.storeId} and id = ${row.id}`)
  return couponFromColumns(row)
}

const notTerms = [
  'id',
  'store_id',
  'version_id',
  'folded_code',
  'generated',
  'active_until',
  'created_by',
  'created_at',
  'updated_by',
  'updated_at',
  'version',
  'used',
]
