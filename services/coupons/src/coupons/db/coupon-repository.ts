import type { Queryable, Transaction } from '@storekeep/common/postgres'
import { foldText } from '@storekeep/proto/conventions/folded-text'
import sql from 'sql-template-tag'
import type { Coupon, CouponState } from '../domain/coupon.ts'
import { type CouponColumns, type CouponRow, couponColumns, couponFromColumns } from './schema.ts'

/** A coupon to insert. */
export interface NewCoupon extends Coupon {
  createdBy: string
  createdAt: Date
}

/** Inserts the coupon with the commit, which fails if the code is taken; see `takenCode`. @returns the row */
export function insertCoupon(tx: Transaction, coupon: NewCoupon): CouponRow {
  tx.insert('coupon', {
    id: coupon.id,
    store_id: coupon.storeId,
    version_id: coupon.versionId,
    enabled: coupon.enabled,
    code: coupon.code,
    folded_code: foldText(coupon.code),
    note: coupon.note,
    duration: coupon.duration,
    duration_in_months: coupon.durationInMonths,
    duration_in_intervals: coupon.durationInIntervals,
    discount_type: coupon.discountType,
    discount_amount: coupon.discountAmount,
    discount_apply_individually: coupon.discountApplyIndividually,
    discount_apply_before_sales: coupon.discountApplyBeforeSales,
    apply_to_products: coupon.applyToProducts,
    apply_to_tags: coupon.applyToTags,
    usable_by_customer_id: coupon.usableByCustomerId,
    minimum_order_value: coupon.minimumOrderValue,
    redeem_limit_store_enabled: coupon.redeemLimitStoreEnabled,
    redeem_limit_store_amount: coupon.redeemLimitStoreAmount,
    redeem_limit_customer_enabled: coupon.redeemLimitCustomerEnabled,
    redeem_limit_customer_amount: coupon.redeemLimitCustomerAmount,
    usable_on_one_time_purchase: coupon.usableOnOneTimePurchase,
    usable_on_subscription: coupon.usableOnSubscription,
    usable_at: coupon.usableAt,
    expires_at: coupon.expiresAt,
    created_by: coupon.createdBy,
    created_at: coupon.createdAt,
  })
  storeVersion(tx, coupon)
  return { ...coupon, updatedBy: null, updatedAt: null, version: '1' }
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
  { versionId, updatedBy, updatedAt }: { versionId: string; updatedBy: string; updatedAt: Date },
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
      version = version + 1, version_id = ${versionId}
    where store_id = ${storeId} and id = ${id}
    returning ${couponColumns}`)
  if (!row) throw new Error('locked coupon not found')
  storeVersion(tx, row)
  return couponFromColumns(row)
}

/** Its versions and redemptions stay. */
export async function deleteLockedCoupon(tx: Transaction, { storeId, id }: CouponRow): Promise<void> {
  await tx.query(sql`delete from coupon where store_id = ${storeId} and id = ${id}`)
}

/** Stores the terms of a coupon that the transaction writes as a version, before the commit. */
function storeVersion(tx: Transaction, { storeId, id }: Pick<Coupon, 'storeId' | 'id'>): void {
  tx.enqueueBeforeCommit(sql`
    insert into coupon_version (id, store_id, coupon_id, terms, created_by, created_at)
    select version_id, store_id, id, to_jsonb(coupon) - ${notTerms}::text[],
      coalesce(updated_by, created_by), coalesce(updated_at, created_at)
    from coupon where store_id = ${storeId} and id = ${id}`)
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
