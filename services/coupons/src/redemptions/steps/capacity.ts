import { limitLockWait, type Transaction } from '@storekeep/common/postgres'
import { findCustomerUsage, type LockedCoupon, lockCouponUsage } from '../db/coupon-usage-repository.ts'
import { type CouponKey, expireReservations } from '../db/redemption-repository.ts'
import { type LimitRejection, rejectionFor } from '../domain/redemption.ts'

/** Reservations ended per statement: some hundredths of a second, during which the coupon stays locked. */
export const expiryBatch = 500

/** Why one more redemption is not possible, and how many expired reservations were ended to make it possible. */
export interface Capacity {
  rejection?: LimitRejection
  expired?: number
}

interface CapacityRequest {
  customerId: string
  now: Date
  /** How many redemptions of the customer it replaces, which are released afterwards. */
  replaced?: bigint
}

/**
 * Checks whether the limits of a locked coupon allow one more redemption, ending expired reservations if necessary:
 * first the customer's, which may be among the newest, then the oldest. Each call ends at most two batches, so a coupon
 * whose limit was lowered far below its usage may be rejected until the sweep has run.
 */
export async function ensureCapacity(
  tx: Transaction,
  coupon: LockedCoupon,
  { customerId, now, replaced = 0n }: CapacityRequest,
): Promise<Capacity> {
  const key = { storeId: coupon.storeId, couponId: coupon.id }
  let expired = 0
  const check = async () => {
    const byCustomer = coupon.redeemLimitCustomerEnabled ? await findCustomerUsage(tx, coupon, customerId) : 0n
    return rejectionFor(coupon, { byAll: coupon.used - BigInt(expired) - replaced, byCustomer: byCustomer - replaced })
  }
  let rejection = await check()
  if (rejection && coupon.redeemLimitCustomerEnabled) {
    expired += await expireReservations(tx, { ...key, customerId }, { now, limit: expiryBatch })
    rejection = await check()
  }
  if (rejection === 'exhausted') {
    expired += await expireReservations(tx, key, { now, limit: expiryBatch })
    rejection = await check()
  }
  return { ...(expired > 0 && { expired }), ...(rejection && { rejection }) }
}

/**
 * Ends one batch of expired reservations of a coupon.
 * @returns how many
 * @throws ServiceFault `service-unavailable` if another transaction holds the lock of the coupon for long
 */
export async function expireCouponReservations(tx: Transaction, coupon: CouponKey, now: Date): Promise<number> {
  await tx.query(limitLockWait(200))
  await lockCouponUsage(tx, coupon.storeId, coupon.couponId)
  return await expireReservations(tx, coupon, { now, limit: expiryBatch })
}
