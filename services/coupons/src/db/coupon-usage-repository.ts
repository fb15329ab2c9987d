import type { Queryable, Transaction } from '@storekeep/common/postgres'
import sql, { empty } from 'sql-template-tag'
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
  tx.withCommit(sql`update coupon set used = used + 1 where store_id = ${storeId} and id = ${couponId}`)
  tx.withCommit(sql`
    insert into coupon_customer_usage as usage (store_id, coupon_id, customer_id, used)
    values (${storeId}, ${couponId}, ${customerId}, 1)
    on conflict (store_id, coupon_id, customer_id) do update set used = usage.used + 1`)
}

/** The contrary of `countRedemption`. Of a coupon that is gone only the customers are left to be counted. */
export function uncountRedemption(tx: Transaction, { storeId, couponId, customerId }: Redemption): void {
  tx.withCommit(sql`update coupon set used = used - 1 where store_id = ${storeId} and id = ${couponId}`)
  tx.withCommit(sql`
    update coupon_customer_usage set used = used - 1
    where store_id = ${storeId} and coupon_id = ${couponId} and customer_id = ${customerId}`)
}

/**
 * Ends reservations of a coupon whose time is over, the oldest first, and no longer counts them. The transaction has
 * locked the coupon, and others wait for it: so it ends no more than `limit`.
 * @param of.customerId ends those of this customer alone
 * @returns how many
 */
export async function expireReservations(
  tx: Transaction,
  { storeId, couponId, customerId }: CouponKey & { customerId?: string },
  { now, limit }: { now: Date; limit: number },
): Promise<number> {
  const [row] = await tx.query<{ count: number }>(sql`
    with expired as (
      update redemption set state = 'expired' where store_id = ${storeId} and checkout_id in (
        select checkout_id from redemption
        where store_id = ${storeId} and coupon_id = ${couponId} and state = 'reserved' and expires_at <= ${now}
          ${customerId === undefined ? empty : sql`and customer_id = ${customerId}`}
        order by expires_at limit ${limit}
        for no key update
      ) returning customer_id
    ), of_customers as (
      update coupon_customer_usage as usage set used = used - expired.count
      from (select customer_id, count(*) as count from expired group by customer_id) as expired
      where usage.store_id = ${storeId} and usage.coupon_id = ${couponId}
        and usage.customer_id = expired.customer_id
    ), of_all as (
      update coupon set used = used - (select count(*) from expired)
      where store_id = ${storeId} and id = ${couponId} and exists (select from expired)
    )
    select count(*)::int as count from expired`)
  return row?.count ?? 0
}

/** Of any store: coupons with reservations whose time is over, but for those of `without`; longest over first. */
export async function findCouponsToExpire(
  db: Queryable,
  { now, limit, without = [] }: { now: Date; limit: number; without?: readonly CouponKey[] },
): Promise<CouponKey[]> {
  const storeIds = without.map(({ storeId }) => storeId)
  const couponIds = without.map(({ couponId }) => couponId)
  return await db.query(sql`
    select store_id as "storeId", coupon_id as "couponId" from (
      select store_id, coupon_id, expires_at from redemption
      where state = 'reserved' and expires_at <= ${now} and (store_id, coupon_id) not in (
        select * from unnest(${storeIds}::bigint[], ${couponIds}::bigint[]))
      order by expires_at limit ${limit}
    ) as due group by store_id, coupon_id order by min(expires_at)`)
}

/** For how many seconds the oldest reservation has been over; 0 when none is. */
export async function overdueSeconds(db: Queryable, now: Date): Promise<number> {
  const [row] = await db.query<{ oldest: Date | null }>(sql`
    select min(expires_at) as oldest from redemption where state = 'reserved'`)
  return row?.oldest ? Math.max(0, (now.getTime() - row.oldest.getTime()) / 1000) : 0
}

/** From now on the transaction waits no longer than this for a lock. */
export async function limitLockWait(tx: Transaction, ms: number): Promise<void> {
  await tx.query(sql`select set_config('lock_timeout', ${String(ms)}, true)`)
}

export interface CouponKey {
  storeId: string
  couponId: string
}
