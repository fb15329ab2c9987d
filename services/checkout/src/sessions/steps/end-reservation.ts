import { type CallOptions, internalActor } from '@storekeep/common/grpc'
import type { CouponRedemptions } from '../../adapters/coupon-redemptions.ts'
import type { AppContext } from '../../context.ts'
import { deleteReservation, type ReservationKey } from '../db/coupon-reservation-repository.ts'

/** Releases an abandoned reservation and deletes its record. */
export async function endReservation(
  ctx: Releaser,
  key: ReservationKey,
  { requestId, traceparent }: Cause,
): Promise<void> {
  const { storeId, checkoutId } = key
  // Uses its own deadline: the reserving call may already be canceled or expired.
  const options = { requestId, traceparent, storeId, actor: internalActor, deadlineMs: releaseMs }
  await ctx.coupons.release(checkoutId, options)
  await deleteReservation(ctx.database, key)
}

interface Releaser extends Pick<AppContext, 'database'> {
  coupons: Pick<CouponRedemptions, 'release'>
}

type Cause = Pick<CallOptions, 'requestId' | 'traceparent'>

export const releaseMs = 2000
