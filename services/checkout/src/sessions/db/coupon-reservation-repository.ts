import { isUniqueViolation, type Queryable, type Transaction } from '@storekeep/common/postgres'
import sql from 'sql-template-tag'

/** A reservation of a coupon. */
export interface ReservationKey {
  storeId: string
  /** The id of the session, or a new one for a change of its coupon. */
  checkoutId: string
}

export interface NewReservation extends ReservationKey {
  /** Excludes concurrent calls: the Idempotency-Key of the call, or the session whose coupon it changes. */
  idempotency: { scope: string; key: string } | undefined
  createdAt: Date
  /** When the sweep considers it abandoned. */
  abandonedAt: Date
}

/**
 * @returns undefined if inserted; the reservation of a failed call with the same `idempotency` that has not been released yet,
 * or `running` while another call with the same `idempotency` has one
 */
export async function insertReservation(
  db: Queryable,
  { storeId, checkoutId, idempotency, createdAt, abandonedAt }: NewReservation,
): Promise<ReservationKey | 'running' | undefined> {
  try {
    await db.query(sql`
      insert into coupon_reservation (store_id, checkout_id, idempotency_scope, idempotency_key, created_at, next_at)
      values (${storeId}, ${checkoutId}, ${idempotency?.scope}, ${idempotency?.key}, ${createdAt}, ${abandonedAt})`)
    return undefined
  } catch (error) {
    if (!isUniqueViolation(error, 'coupon_reservation_call_unique')) throw error
    const [releasing] = await db.query<ReservationKey>(sql`
      select store_id as "storeId", checkout_id as "checkoutId" from coupon_reservation
      where store_id = ${storeId} and idempotency_scope = ${idempotency?.scope} and idempotency_key = ${idempotency?.key}
        and state = 'releasing'`)
    return releasing ?? 'running'
  }
}

/** Settles the reservation of a session that this transaction writes. @returns false if the sweep has taken it */
export async function settleReservation(tx: Transaction, { storeId, checkoutId }: ReservationKey): Promise<boolean> {
  const rows = await tx.query(sql`
    delete from coupon_reservation
    where store_id = ${storeId} and checkout_id = ${checkoutId} and state = 'reserving' returning 1`)
  return rows.length > 0
}

/**
 * Settles the reservation of a session that this transaction changes, and records the release of the old reservation in its place.
 * @param nextAt when the sweep releases it, unless the caller has by then
 * @returns false if the sweep has taken the new reservation
 */
export async function replaceReservation(
  tx: Transaction,
  { storeId, checkoutId }: ReservationKey,
  replaced: ReservationKey,
  nextAt: Date,
): Promise<boolean> {
  const rows = await tx.query(sql`
    update coupon_reservation set checkout_id = ${replaced.checkoutId}, state = 'releasing', next_at = ${nextAt}
    where store_id = ${storeId} and checkout_id = ${checkoutId} and state = 'reserving' returning 1`)
  return rows.length > 0
}

/**
 * Gives up a reservation whose session will not be written. Waits for a transaction that is writing it.
 * @param nextAt when the sweep tries to release it, unless the caller has by then
 * @returns the reservation; undefined if the session was written or the sweep has taken it
 */
export async function abandonReservation(
  db: Queryable,
  { storeId, checkoutId }: ReservationKey,
  nextAt: Date,
): Promise<ReservationKey | undefined> {
  const [row] = await db.query<ReservationKey>(sql`
    update coupon_reservation set state = 'releasing', next_at = ${nextAt}
    where store_id = ${storeId} and checkout_id = ${checkoutId} and state = 'reserving'
    returning store_id as "storeId", checkout_id as "checkoutId"`)
  return row
}

/** Deletes a reservation that coupons no longer holds. */
export async function deleteReservation(db: Queryable, { storeId, checkoutId }: ReservationKey): Promise<void> {
  await db.query(sql`delete from coupon_reservation where store_id = ${storeId} and checkout_id = ${checkoutId}`)
}

/**
 * Claims due reservations for this replica, the oldest first. Unless deleted, a reservation is due again after five
 * seconds, in which no other replica claims it, then every ten.
 */
export async function claimDueReservations(db: Queryable, now: Date, limit: number): Promise<ReservationKey[]> {
  return await db.query<ReservationKey>(sql`
    with due as materialized (
      select store_id, checkout_id from coupon_reservation where next_at <= ${now}
      order by next_at limit ${limit} for update skip locked
    )
    update coupon_reservation set state = 'releasing', attempts = attempts + 1,
      next_at = ${now}::timestamptz + least(10, 5 * power(2, least(attempts, 1))) * interval '1 second'
    where (store_id, checkout_id) in (select store_id, checkout_id from due)
    returning store_id as "storeId", checkout_id as "checkoutId"`)
}

/** The number of reservations and the oldest one, by state. */
export async function countReservations(db: Queryable): Promise<{ state: string; count: number; oldest: Date }[]> {
  return await db.query(sql`
    select state, count(*)::int as count, min(created_at) as oldest from coupon_reservation group by state`)
}
