import { errors, isFault } from '@storekeep/common/errors'
import { type Call, type CallOptions, internalActor } from '@storekeep/common/grpc'
import type { Transaction } from '@storekeep/common/postgres'
import type { CouponRedemptions, OrderWithCodes } from '../../adapters/coupon-redemptions.ts'
import type { AppContext } from '../../context.ts'
import {
  abandonReservation,
  deleteReservation,
  findReleasingReservation,
  insertReservation,
  type ReservationKey,
  replaceReservation,
  settleReservation,
} from '../db/coupon-reservation-repository.ts'
import type { Discounts } from '../domain/discounts.ts'

/*
 * A coupon is reserved by the coupons service for a session that checkout writes afterwards. Neither may remain without
 * the other, and either process can die at any point. So checkout records the reservation first (`openReservation`). The
 * transaction of the session settles the record, or the reservation is released, by the call or by the sweeper. If the
 * transaction replaces the coupon of a session, it turns the record into one of the old reservation, which is then released.
 */

/**
 * Records that a coupon is about to be reserved. If a failed call with the same `idempotency` has left a reservation, that one
 * is released first, so that the retry does not find the coupon used up by itself.
 * @param idempotency see `NewReservation`
 * @returns false while another call with the same is running
 * @throws ServiceFault `service-unavailable` if an earlier reservation cannot be released
 */
export async function openReservation(
  ctx: AppContext,
  call: Call,
  key: ReservationKey,
  idempotency = call.idempotency,
): Promise<boolean> {
  const createdAt = ctx.clock.now()
  const abandonedAt = new Date(createdAt.getTime() + abandonedMs)
  const reservation = { ...key, idempotency, createdAt, abandonedAt }
  if (await insertReservation(ctx.database, reservation)) return true
  const earlier = await findReleasingReservation(ctx.database, reservation)
  if (!earlier) return false
  await endReservation(ctx, earlier, causeOf(call))
  return await insertReservation(ctx.database, reservation)
}

/**
 * Applies the codes of the order and reserves its coupon, under a reservation that has been opened.
 * @throws ServiceFault `validation-failed` naming the codes that cannot be used, `service-unavailable` if it is unknown
 * whether the coupon is reserved
 */
export async function reserveCoupon(ctx: AppContext, call: Call, order: OrderWithCodes): Promise<Discounts> {
  try {
    return await ctx.coupons.reserve(order, call)
  } catch (error) {
    const isRefused = isFault(error, 'validation-failed')
    if (isRefused) await deleteReservation(ctx.database, order)
    throw error
  }
}

/**
 * Releases the reservation of a session that was not written. Does nothing if it was: a commit whose response got lost
 * may have succeeded. Never throws; the sweeper retries what fails.
 */
export async function releaseReservation(ctx: AppContext, call: Call, key: ReservationKey): Promise<void> {
  try {
    if (!(await abandonReservation(ctx.database, key, sweptAt(ctx)))) return
    await endReservation(ctx, key, causeOf(call))
  } catch (error) {
    leaveToSweeper(call, error)
  }
}

/**
 * Settles the reservation of a session whose coupon this transaction changes, and releases the one before after the commit. The
 * sweeper retries what fails.
 * @param replacedId undefined if there is none
 * @throws ServiceFault `service-unavailable` if the new reservation has been released
 */
export async function settleChange(
  ctx: AppContext,
  tx: Transaction,
  key: ReservationKey,
  replacedId: string | undefined,
): Promise<void> {
  const isSettled =
    replacedId === undefined
      ? await settleReservation(tx, key)
      : await replaceReservation(tx, key, replacedId, sweptAt(ctx))
  if (!isSettled) throw errors.unavailable(new Error('the reservation was released in the meantime'))
}

/** Releases a reservation whose release is recorded. Never throws; the sweeper retries what fails. */
export async function releaseReplaced(ctx: AppContext, call: Call, key: ReservationKey): Promise<void> {
  try {
    await endReservation(ctx, key, causeOf(call))
  } catch (error) {
    leaveToSweeper(call, error)
  }
}

function sweptAt({ clock }: Pick<AppContext, 'clock'>): Date {
  return new Date(clock.now().getTime() + releaseMs * 2)
}

function leaveToSweeper({ log }: Call, error: unknown): void {
  log.warn({ err: error }, 'could not release a coupon reservation, leaving it to the sweeper')
}

/** Releases an abandoned reservation and deletes its record. */
export async function endReservation(ctx: Releaser, key: ReservationKey, cause: Cause): Promise<void> {
  // Independent of the call that reserved, whose client may be gone and whose deadline may have passed.
  const options: CallOptions = { ...cause, storeId: key.storeId, actor: internalActor, deadlineMs: releaseMs }
  await ctx.coupons.release(key.checkoutId, options)
  await deleteReservation(ctx.database, key)
}

function causeOf({ requestId, traceparent }: Call): Cause {
  return { requestId, traceparent }
}

interface Releaser extends Pick<AppContext, 'database'> {
  coupons: Pick<CouponRedemptions, 'release'>
}

type Cause = Pick<CallOptions, 'requestId' | 'traceparent'>

/** Longer than the deadline of any call: the gateway's REQUEST_TIMEOUT_MS is at most 15,000. */
const abandonedMs = 20_000
const releaseMs = 2000
