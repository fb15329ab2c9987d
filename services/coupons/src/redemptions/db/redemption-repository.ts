import { expectRow, type Queryable, type Transaction } from '@storekeep/common/postgres'
import sql, { empty, raw } from 'sql-template-tag'
import type { Redemption, RedemptionState } from '../domain/redemption.ts'

/** A reservation to insert. */
export type NewRedemption = Omit<Redemption, 'id' | 'state'>

/** The entry of a checkout: a redemption, or the mark that it released its reservation before it had one. */
export type LedgerEntry = Redemption | { couponId: null; state: 'released' }

export async function findLedgerEntry(
  db: Queryable,
  storeId: string,
  checkoutId: string,
): Promise<LedgerEntry | undefined> {
  const [row] = await db.query<LedgerEntry>(sql`
    select ${redemptionColumns} from redemption where store_id = ${storeId} and checkout_id = ${checkoutId}`)
  return row
}

/** Locks the redemption until the transaction ends, whether or not its coupon still exists. */
export async function lockRedemption(tx: Transaction, { storeId, checkoutId }: Redemption): Promise<Redemption> {
  const rows = await tx.query<Redemption>(sql`
    select ${redemptionColumns} from redemption
    where store_id = ${storeId} and checkout_id = ${checkoutId} for no key update`)
  return expectRow(rows)
}

/** @returns undefined if the checkout already has an entry */
export async function insertReservation(tx: Transaction, given: NewRedemption): Promise<Redemption | undefined> {
  const [row] = await tx.query<Redemption>(sql`
    insert into redemption (store_id, checkout_id, coupon_id, coupon_version_id, customer_id, state, expires_at,
      created_at)
    values (${given.storeId}, ${given.checkoutId}, ${given.couponId}, ${given.couponVersionId}, ${given.customerId},
      'reserved', ${given.expiresAt}, ${given.createdAt})
    on conflict do nothing returning ${redemptionColumns}`)
  return row
}

/**
 * Marks the checkout as released, so that a late reservation is rejected.
 * @returns false if the checkout already has an entry
 */
export async function insertReleased(
  tx: Transaction,
  storeId: string,
  checkoutId: string,
  now: Date,
): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into redemption (store_id, checkout_id, state, created_at)
    values (${storeId}, ${checkoutId}, 'released', ${now})
    on conflict do nothing returning 1`)
  return rows.length > 0
}

export async function updateRedemptionState(
  tx: Transaction,
  { storeId, checkoutId }: Redemption,
  state: RedemptionState,
): Promise<Redemption> {
  const rows = await tx.query<Redemption>(sql`
    update redemption set state = ${state} where store_id = ${storeId} and checkout_id = ${checkoutId}
    returning ${redemptionColumns}`)
  return expectRow(rows)
}

/**
 * Ends up to `limit` expired reservations of a coupon that the transaction has locked, the oldest first, and uncounts
 * them.
 * @param customerId ends only this customer's reservations
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

/** Coupons of any store with expired reservations, the longest expired first, except those in `without`. */
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

/** The open reservations of all stores, counted in an index that holds nothing else. */
export async function countReservations(db: Queryable): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::int as count from redemption where state = 'reserved'`)
  return row?.count ?? 0
}

/** How many seconds ago the oldest open reservation expired; 0 if none has. */
export async function overdueSeconds(db: Queryable, now: Date): Promise<number> {
  const [row] = await db.query<{ oldest: Date | null }>(sql`
    select min(expires_at) as oldest from redemption where state = 'reserved'`)
  return row?.oldest ? Math.max(0, (now.getTime() - row.oldest.getTime()) / 1000) : 0
}

/**
 * Deletes released and expired entries created before a time, skipping locked ones.
 * @returns how many; fewer than `limit` if none are left
 */
export async function deleteEndedRedemptions(db: Queryable, before: Date, limit: number): Promise<number> {
  const deleted = await db.query(sql`
    delete from redemption where (store_id, checkout_id) in (
      select store_id, checkout_id from redemption
      where state in ('released', 'expired') and created_at < ${before}
      order by created_at limit ${limit} for update skip locked
    ) returning 1`)
  return deleted.length
}

export interface CouponKey {
  storeId: string
  couponId: string
}

const redemptionColumns = raw(`id, store_id as "storeId", checkout_id as "checkoutId", coupon_id as "couponId",
  coupon_version_id as "couponVersionId", customer_id as "customerId", state, expires_at as "expiresAt",
  created_at as "createdAt"`)
