import { type Timestamp, timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { CallOptions } from '@storekeep/common/grpc'
import type { Database } from '@storekeep/common/postgres'
import type { Clock } from '@storekeep/common/service'
import { randomId } from '@storekeep/common/testing'
import { type Coupon, RedemptionState } from '@storekeep/proto/coupons/v1/coupon'
import { RedemptionRefusal } from '@storekeep/proto/coupons/v1/coupons_service'
import sql from 'sql-template-tag'
import type { TestCoupons } from './harness.ts'

export interface Reservation {
  couponId: string
  couponVersionId: string
  customerId: string
  checkoutId: string
  expiresAt: Timestamp
}

/** A reservation of a customer and a checkout that no other has, for an hour of the service's clock. */
export function newReservation(
  { clock }: { clock: Clock },
  coupon: Coupon,
  change: Partial<Reservation> = {},
): Reservation {
  return {
    couponId: coupon.id,
    couponVersionId: coupon.versionId,
    customerId: randomId(),
    checkoutId: randomId(),
    expiresAt: timestampFromDate(new Date(clock.now().getTime() + hourMs)),
    ...change,
  }
}

export const hourMs = 3_600_000

/** The state of the redemption that a call answers, or why it was refused. */
export async function outcomeOf(call: Promise<Answer>): Promise<string> {
  const { redemption, refusal } = await call
  return redemption ? nameIn(RedemptionState, redemption.state) : `refused: ${nameIn(RedemptionRefusal, refusal)}`
}

interface Answer {
  redemption?: { state: RedemptionState } | undefined
  refusal: RedemptionRefusal
}

function nameIn(names: Record<string, number>, value: number): string {
  return Object.keys(names).find((name) => names[name] === value) ?? `${value}`
}

/** Reserves for a new checkout, or as it is given. */
export function reserve(
  coupons: TestCoupons,
  options: CallOptions,
  coupon: Coupon,
  change: Partial<Reservation> = {},
): Promise<string> {
  return outcomeOf(coupons.client.reserveRedemption(newReservation(coupons, coupon, change), options))
}

/** Has a coupon reserved so many times for an hour, by seven customers in turn, "1" to "7". */
export async function fillLedger({ clock, database }: TestCoupons, coupon: Coupon, count: number): Promise<void> {
  const { id, storeId, versionId } = coupon
  const soon = new Date(clock.now().getTime() + hourMs)
  await database.query(sql`
    with made as (
      insert into redemption (store_id, checkout_id, coupon_id, coupon_version_id, customer_id, state, expires_at, created_at)
      select ${storeId}::bigint, flake_id(), ${id}::bigint, ${versionId}::bigint, n % 7 + 1, 'reserved',
        ${soon}::timestamptz, now()
      from generate_series(1, ${count}::int) n returning customer_id
    ), customers as (
      insert into coupon_customer_usage (store_id, coupon_id, customer_id, used)
      select ${storeId}::bigint, ${id}::bigint, customer_id, count(*) from made group by customer_id
    )
    update coupon set used = ${count} where id = ${id}`)
}

/**
 * How often a coupon counts: by its own counter, by the sum of those of its customers, and by the rows of the ledger.
 * The first one is null once the coupon is gone.
 */
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

/** The counts when all of them agree. */
export function counts(used: number): Counts {
  return { coupon: used, customers: used, ledger: used }
}

export interface Counts {
  coupon: number | null
  customers: number
  ledger: number
}
