import { errors, isFault, type ServiceFault } from '@storekeep/common/errors'
import type { Call } from '@storekeep/common/grpc'
import type { Transaction } from '@storekeep/common/postgres'
import type { OrderWithCodes } from '../../adapters/coupon-redemptions.ts'
import type { AppContext } from '../../context.ts'
import {
  abandonReservation,
  deleteReservation,
  insertReservation,
  type NewReservation,
  type ReservationKey,
  replaceReservation,
  settleReservation,
} from '../db/coupon-reservation-repository.ts'
import type { Discounts } from '../domain/discounts.ts'
import { endReservation, releaseMs } from './end-reservation.ts'

/*
 * A coupon is reserved by the coupons service for a session that checkout writes afterwards. Neither may remain without
 * the other, and either process can die at any point. So checkout records the reservation before it calls coupons. The
 * transaction of the session settles the record, or the reservation is released, by the call or by the sweep. If the
 * transaction replaces the coupon of a session, the record then names the old reservation, which is released.
 */

/**
 * Runs `body` with a recorded reservation, and releases it unless `body` settles it. If a failed call with the same
 * `idempotency` has left a reservation, it is released first: otherwise it could use up the coupon for its own retry.
 * @throws ServiceFault `whileRunning()` if another call with the same `idempotency` is running, `service-unavailable` if an
 * earlier reservation cannot be released, and whatever `body` throws
 */
export async function withReservation<R>(
  ctx: AppContext,
  call: Call,
  request: ReservationRequest,
  body: (reservation: Reservation) => Promise<R>,
): Promise<R> {
  const { storeId, checkoutId } = request
  const key = { storeId, checkoutId }
  await openReservation(ctx, call, request)
  const sweptAt = () => new Date(ctx.clock.now().getTime() + releaseMs * 2)
  let mayBeReserved = false
  let replaced: ReservationKey | undefined
  let isSettled = false
  const reservation: Reservation = {
    async reserve(order) {
      mayBeReserved = true
      try {
        return await ctx.coupons.reserve({ ...order, ...key }, call)
      } catch (error) {
        if (isFault(error, 'validation-failed')) mayBeReserved = false
        throw error
      }
    },
    async settle(tx, replacedId) {
      replaced = replacedId === undefined ? undefined : { storeId, checkoutId: replacedId }
      isSettled = replaced ? await replaceReservation(tx, key, replaced, sweptAt()) : await settleReservation(tx, key)
      if (!isSettled) throw errors.unavailable(new Error('the reservation was released in the meantime'))
    },
  }
  try {
    return await body(reservation)
  } catch (error) {
    // The transaction may have committed nevertheless; `abandonReservation` then finds no record.
    isSettled = false
    throw error
  } finally {
    try {
      if (isSettled || mayBeReserved) {
        const unused = isSettled ? replaced : await abandonReservation(ctx.database, key, sweptAt())
        if (unused) await endReservation(ctx, unused, call)
      } else {
        await deleteReservation(ctx.database, key)
      }
    } catch (error) {
      call.log.warn({ err: error }, 'coupon reservation release failed: leaving it to the sweep')
    }
  }
}

async function openReservation(ctx: AppContext, call: Call, request: ReservationRequest): Promise<void> {
  const { whileRunning, ...given } = request
  const createdAt = ctx.clock.now()
  const reservation = { ...given, createdAt, abandonedAt: new Date(createdAt.getTime() + abandonedMs) }
  for (;;) {
    const other = await insertReservation(ctx.database, reservation)
    if (!other) return
    if (other === 'running') throw whileRunning()
    await endReservation(ctx, other, call)
  }
}

/** The reservation of a change of a session, of which one runs at a time. @param key with the id of the new redemption */
export function changeOf(sessionId: string, key: ReservationKey): ReservationRequest {
  const whileRunning = () => errors.conflict('Another change of the checkout session is running.')
  return { ...key, idempotency: { scope: 'coupon of a session', key: sessionId }, whileRunning }
}

export interface ReservationRequest extends Pick<NewReservation, 'storeId' | 'checkoutId' | 'idempotency'> {
  whileRunning(): ServiceFault
}

/** A reservation that is recorded. */
export interface Reservation {
  /**
   * Applies the codes of the order and reserves its coupon.
   * @throws ServiceFault `validation-failed` naming the codes that cannot be used, `service-unavailable` if it is unknown
   * whether the coupon is reserved
   */
  reserve(order: Omit<OrderWithCodes, keyof ReservationKey>): Promise<Discounts>
  /**
   * Settles the reservation in the transaction that writes the session.
   * @param replacedId the redemption that is released after the commit
   * @throws ServiceFault `service-unavailable` if the reservation has been released
   */
  settle(tx: Transaction, replacedId?: string): Promise<void>
}

/** Longer than the deadline of any call: the gateway's REQUEST_TIMEOUT_MS is at most 15,000. */
const abandonedMs = 20_000
