import type { Queryable, Transaction } from '@storekeep/common/postgres'
import sql from 'sql-template-tag'
import type { CouponLimits, Redemption } from '../domain/redemption.ts'

/** What counts of a coupon that the transaction has locked. */
export interface LockedCoupon extends CouponLimits {
  storeId: string
  id: string
  versionId: string
  used: bigint
}

/**
 * The coupon, whose redemptions nobody else changes until the transaction ends; undefined when it is gone.
 * NOTE Whatever else decides is read by later statements: one that waited for the lock sees what was before.
 */
export async function lockCouponUsage(tx: Transaction, storeId: string, id: string): Promise<LockedCoupon | undefined> {
  const [row] = await tx.query<Omit<LockedCoupon, 'storeId' | Amount> & Record<Amount, string>>(sql`
    select id, version_id as "versionId", used,
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
 * Counts a redemption, with the commit: later statements of the transaction do not see it yet. The transaction has
 * locked the coupon.
 */
export function countRedemption(tx: Transaction, { storeId, couponId, customerId }: Redemption): void {
  tx.enqueueBeforeCommit(sql`update coupon set used = used + 1 where store_id = ${storeId} and id = ${couponId}`)
  tx.enqueueBeforeCommit(sql`
    insert into coupon_customer_usage as usage (store_id, coupon_id, customer_id, used)
    values (${storeId}, ${couponId}, ${customerId}, 1)
    on conflict (store_id, coupon_id, customer_id) do update set used = usage.used + 1`)
}

/** The contrary of `countRedemption`. Of a coupon that is gone only the customers are left to be counted. */
export function uncountRedemption(tx: Transaction, { storeId, couponId, customerId }: Redemption): void {
  tx.enqueueBeforeCommit(sql`update coupon set used = used - 1 where store_id = ${storeId} and id = ${couponId}`)
  tx.enqueueBeforeCommit(sql`
    update coupon_customer_usage set used = used - 1
    where store_id = ${storeId} and coupon_id = ${couponId} and customer_id = ${customerId}`)
}
