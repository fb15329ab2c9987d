import type { Queryable, Transaction } from '@storekeep/common/postgres'
import sql, { empty, type Sql } from 'sql-template-tag'
import { type CouponColumns, type CouponRow, couponColumns, couponFromColumns } from '../../coupons/db/schema.ts'
import type { CouponLimits, Redemption } from '../domain/redemption.ts'

/** The limits and the usage of a coupon that the transaction has locked. */
export interface LockedCoupon extends CouponLimits {
  storeId: string
  id: string
  used: bigint
}

/** A coupon with its terms and its usage. */
export interface NamedCoupon extends CouponRow {
  used: bigint
}

/**
 * Locks the coupon against changes of its redemptions until the transaction ends; undefined if it is deleted.
 * NOTE Read everything else that a decision needs in later statements: a statement that waited for the lock sees the
 * other tables as they were before.
 */
export async function lockCouponUsage(tx: Transaction, storeId: string, id: string): Promise<LockedCoupon | undefined> {
  const [row] = await tx.query<Omit<LockedCoupon, 'storeId' | Amount> & Record<Amount, string>>(sql`
    select id, used,
      redeem_limit_store_enabled as "redeemLimitStoreEnabled", redeem_limit_store_amount as "redeemLimitStoreAmount",
      redeem_limit_customer_enabled as "redeemLimitCustomerEnabled",
      redeem_limit_customer_amount as "redeemLimitCustomerAmount"
    from coupon where store_id = ${storeId} and id = ${id} for no key update`)
  return (
    row && {
      ...row,
      storeId,
      used: BigInt(row.used),
      redeemLimitStoreAmount: BigInt(row.redeemLimitStoreAmount),
      redeemLimitCustomerAmount: BigInt(row.redeemLimitCustomerAmount),
    }
  )
}

type Amount = 'used' | 'redeemLimitStoreAmount' | 'redeemLimitCustomerAmount'

/** The coupons with this id or one of these folded codes, locked as by `lockCouponUsage`. */
export async function lockNamedCoupons(tx: Transaction, storeId: string, names: CouponNames): Promise<NamedCoupon[]> {
  // Every transaction locks in the order of ids, so that no two wait for each other.
  return await selectNamedCoupons(tx, storeId, names, sql`order by id for no key update`)
}

/** The coupons with this id or one of these folded codes. */
export async function findNamedCoupons(db: Queryable, storeId: string, names: CouponNames): Promise<NamedCoupon[]> {
  return await selectNamedCoupons(db, storeId, names, empty)
}

export interface CouponNames {
  couponId: string | undefined
  codes: readonly string[]
}

async function selectNamedCoupons(db: Queryable, storeId: string, { couponId, codes }: CouponNames, lock: Sql) {
  const rows = await db.query<CouponColumns & { used: string }>(sql`
    select ${couponColumns}, used from coupon
    where store_id = ${storeId} and (id = ${couponId} or folded_code = any(${codes}::text[]))
    ${lock}`)
  return rows.map(({ used, ...columns }) => ({ ...couponFromColumns(columns), used: BigInt(used) }))
}

export async function findCustomerUsage(
  db: Queryable,
  { storeId, id }: LockedCoupon,
  customerId: string,
): Promise<bigint> {
  const [row] = await db.query<{ used: string }>(sql`
    select used from coupon_customer_usage
    where store_id = ${storeId} and coupon_id = ${id} and customer_id = ${customerId}`)
  return BigInt(row?.used ?? 0)
}

/**
 * Counts a redemption of a locked coupon at the end of the transaction: its later statements do not see it yet.
 */
export function countRedemption(tx: Transaction, { storeId, couponId, customerId }: Redemption): void {
  tx.enqueueBeforeCommit(sql`update coupon set used = used + 1 where store_id = ${storeId} and id = ${couponId}`)
  tx.enqueueBeforeCommit(sql`
    insert into coupon_customer_usage as usage (store_id, coupon_id, customer_id, used)
    values (${storeId}, ${couponId}, ${customerId}, 1)
    on conflict (store_id, coupon_id, customer_id) do update set used = usage.used + 1`)
}

/** Reverses `countRedemption`. If the coupon is deleted, only the usage per customer remains to be updated. */
export function uncountRedemption(tx: Transaction, { storeId, couponId, customerId }: Redemption): void {
  tx.enqueueBeforeCommit(sql`update coupon set used = used - 1 where store_id = ${storeId} and id = ${couponId}`)
  tx.enqueueBeforeCommit(sql`
    update coupon_customer_usage set used = used - 1
    where store_id = ${storeId} and coupon_id = ${couponId} and customer_id = ${customerId}`)
}
