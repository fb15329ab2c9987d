import { isUniqueViolation, type Queryable, type Transaction } from '@storekeep/common/postgres'
import sql from 'sql-template-tag'

/** Which session a slot is taken for. */
export interface HoldKey {
  storeId: string
  checkoutId: string
}

export interface NewHold extends HoldKey {
  couponId: string
  /** Of the call, when it has an Idempotency-Key. */
  idempotency: { scope: string; key: string } | undefined
  createdAt: Date
  /** When the sweeper takes it for abandoned. */
  abandonedAt: Date
}

/** @returns false while another call with the same Idempotency-Key has a hold */
export async function insertHold(db: Queryable, hold: NewHold): Promise<boolean> {
  const { storeId, checkoutId, couponId, idempotency, createdAt, abandonedAt } = hold
  try {
    await db.query(sql`
      insert into coupon_hold (store_id, checkout_id, coupon_id, idempotency_scope, idempotency_key, created_at, next_at)
      values (${storeId}, ${checkoutId}, ${couponId}, ${idempotency?.scope}, ${idempotency?.key}, ${createdAt},
        ${abandonedAt})`)
    return true
  } catch (error) {
    if (isUniqueViolation(error, 'coupon_hold_call_unique')) return false
    throw error
  }
}

/** The hold that a failed call with the same Idempotency-Key left, whose slot is yet to be given back. */
export async function findReleasingHold(
  db: Queryable,
  { storeId, idempotency }: Pick<NewHold, 'storeId' | 'idempotency'>,
): Promise<HoldKey | undefined> {
  const [row] = await db.query<HoldKey>(sql`
    select store_id as "storeId", checkout_id as "checkoutId" from coupon_hold
    where store_id = ${storeId} and idempotency_scope = ${idempotency?.scope} and idempotency_key = ${idempotency?.key}
      and state = 'releasing'`)
  return row
}

/** Ends a hold whose session is written in this transaction. @returns false when the sweeper has taken it */
export async function settleHold(tx: Transaction, { storeId, checkoutId }: HoldKey): Promise<boolean> {
  const rows = await tx.query(sql`
    delete from coupon_hold
    where store_id = ${storeId} and checkout_id = ${checkoutId} and state = 'reserving' returning 1`)
  return rows.length > 0
}

/**
 * Gives up a hold whose session will not be written. It waits for a transaction that is writing it.
 * @param nextAt when the sweeper tries to give the slot back, unless somebody has by then
 * @returns false when the session was written or the sweeper has taken the hold
 */
export async function abandonHold(db: Queryable, { storeId, checkoutId }: HoldKey, nextAt: Date): Promise<boolean> {
  const rows = await db.query(sql`
    update coupon_hold set state = 'releasing', next_at = ${nextAt}
    where store_id = ${storeId} and checkout_id = ${checkoutId} and state = 'reserving' returning 1`)
  return rows.length > 0
}

/** Forgets a hold that has no slot any more. */
export async function deleteHold(db: Queryable, { storeId, checkoutId }: HoldKey): Promise<void> {
  await db.query(sql`delete from coupon_hold where store_id = ${storeId} and checkout_id = ${checkoutId}`)
}

/**
 * Takes the holds that are due, the oldest first, each for one replica. One that is not dealt with is due again: after
 * five seconds, in which no other replica has it as well, then every ten.
 */
export async function claimDueHolds(db: Queryable, now: Date, limit: number): Promise<HoldKey[]> {
  return await db.query<HoldKey>(sql`
    with due as materialized (
      select store_id, checkout_id from coupon_hold where next_at <= ${now}
      order by next_at limit ${limit} for update skip locked
    )
    update coupon_hold set state = 'releasing', attempts = attempts + 1,
      next_at = ${now}::timestamptz + least(10, 5 * power(2, least(attempts, 1))) * interval '1 second'
    where (store_id, checkout_id) in (select store_id, checkout_id from due)
    returning store_id as "storeId", checkout_id as "checkoutId"`)
}

/** How many holds there are by state, and since when. */
export async function countHolds(db: Queryable): Promise<{ state: string; count: number; oldest: Date }[]> {
  return await db.query(sql`
    select state, count(*)::int as count, min(created_at) as oldest from coupon_hold group by state`)
}
