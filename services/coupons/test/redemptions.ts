import { type Timestamp, timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { Clock } from '@storekeep/common/clock'
import { ServiceFault } from '@storekeep/common/errors'
import type { CallOptions } from '@storekeep/common/grpc'
import type { Database } from '@storekeep/common/postgres'
import { randomId } from '@storekeep/common/testing'
import type { Coupon } from '@storekeep/proto/coupons/v1/coupon'
import { RedemptionState } from '@storekeep/proto/coupons/v1/redemption'
import { RedemptionRejection, type ReserveCouponResponse } from '@storekeep/proto/coupons/v1/redemptions_service'
import sql from 'sql-template-tag'
import type { TestCoupons } from './harness.ts'

export interface Reservation {
  couponId: string
  customerId: string
  checkoutId: string
  replacedCheckoutId?: string
  expiresAt: Timestamp
  lines: { quantity: number; amount: bigint }[]
}

/** An order of 10.00 by a new customer and checkout that reserves the coupon for an hour. */
export function newReservation(
  { clock }: { clock: Clock },
  { id }: Pick<Coupon, 'id'>,
  change: Partial<Reservation> = {},
): Reservation {
  return {
    couponId: id,
    customerId: randomId(),
    checkoutId: randomId(),
    expiresAt: timestampFromDate(new Date(clock.now().getTime() + hourMs)),
    lines: [{ quantity: 1, amount: 1000n }],
    ...change,
  }
}

export const hourMs = 3_600_000

/** The state of the redemption in a response, or why it was rejected. */
export async function outcomeOf(call: Promise<ConfirmResponse>): Promise<string> {
  const { redemption, rejection } = await call
  return redemption ? nameIn(RedemptionState, redemption.state) : `rejected: ${nameIn(RedemptionRejection, rejection)}`
}

interface ConfirmResponse {
  redemption?: { state: RedemptionState } | undefined
  rejection: RedemptionRejection
}

function nameIn(names: Record<string, number>, value: number): string {
  return Object.keys(names).find((name) => names[name] === value) ?? `${value}`
}

/** "RESERVED", "rejected: coupon-exhausted" or "conflict". */
export async function reserveOutcome(call: Promise<ReserveCouponResponse>): Promise<string> {
  try {
    const { coupon } = await call
    return coupon ? 'RESERVED' : 'NO COUPON'
  } catch (error) {
    if (!(error instanceof ServiceFault)) throw error
    if (error.code === 'validation-failed') return `rejected: ${error.violations.map(({ code }) => code).join(', ')}`
    if (error.code === 'conflict') return 'conflict'
    throw error
  }
}

/** Reserves the coupon for a new checkout, with the given changes to the request. */
export function reserve(
  coupons: TestCoupons,
  options: CallOptions,
  coupon: Pick<Coupon, 'id'>,
  change: Partial<Reservation> = {},
): Promise<string> {
  return reserveOutcome(coupons.redemptions.reserveCoupon(newReservation(coupons, coupon, change), options))
}

/** Inserts reservations of a coupon for an hour, by the customers "1" to "7" in turn. */
export async function fillLedger({ clock, database }: TestCoupons, coupon: Coupon, count: number): Promise<void> {
  const { id, storeId, versionId } = coupon
  const soon = new Date(clock.now().getTime() + hourMs)
  await database.query(sql`
    with reserved as (
      insert into redemption (store_id, checkout_id, coupon_id, coupon_version_id, customer_id, state, expires_at, created_at)
      select ${storeId}::bigint, flake_id(), ${id}::bigint, ${versionId}::bigint, n % 7 + 1, 'reserved',
        ${soon}::timestamptz, now()
      from generate_series(1, ${count}::int) n returning customer_id
    ), customers as (
      insert into coupon_customer_usage (store_id, coupon_id, customer_id, used)
      select ${storeId}::bigint, ${id}::bigint, customer_id, count(*) from reserved group by customer_id
    )
    update coupon set used = ${count} where id = ${id}`)
}

/** The usage of a coupon by its counter (null if it is deleted), by its customers' counters, and by the ledger. */
export async function countsOf(database: Database, couponId: string): Promise<Counts> {
  const [row] = await database.query<Counts>(sql`
    select
      (select used::int from coupon where id = ${couponId}) as coupon,
      (select coalesce(sum(used), 0)::int from coupon_customer_usage where coupon_id = ${couponId}) as customers,
      (select count(*)::int from redemption
        where coupon_id = ${couponId} and state in ('reserved', 'confirmed')) as ledger`)
  if (!row) throw new Error('no counts')
  return row
}

/** The counts if all of them agree. */
export function counts(used: number): Counts {
  return { coupon: used, customers: used, ledger: used }
}

export interface Counts {
  coupon: number | null
  customers: number
  ledger: number
}

export const storeLimit = (amount: bigint) => ({ redeemLimitStoreEnabled: true, redeemLimitStoreAmount: amount })

/** Transactions of the service that wait for a lock. */
export async function locksAwaited(coupons: TestCoupons): Promise<number> {
  const [row] = await coupons.database.query<{ count: number }>(sql`
    select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
  return row?.count ?? 0
}
