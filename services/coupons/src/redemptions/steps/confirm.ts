import type { Transaction } from '@storekeep/common/postgres'
import { countRedemption, lockCouponUsage } from '../db/coupon-usage-repository.ts'
import { findLedgerEntry, lockRedemption, updateRedemptionState } from '../db/redemption-repository.ts'
import type { LedgerRequest, RedemptionOutcome } from '../domain/outcome.ts'
import { type Capacity, ensureCapacity } from './capacity.ts'

/** Makes the reservation of a checkout final. An expired one is taken again if the limits allow it. */
export async function confirm(
  tx: Transaction,
  { storeId, checkoutId, now }: LedgerRequest,
): Promise<RedemptionOutcome> {
  const known = await findLedgerEntry(tx, storeId, checkoutId)
  if (!known) return { rejection: 'unknown' }
  if (known.couponId === null) return { rejection: 'released' }
  const coupon = await lockCouponUsage(tx, storeId, known.couponId)
  const redemption = await lockRedemption(tx, known)
  if (redemption.state === 'confirmed') return { redemption }
  if (redemption.state === 'released') return { rejection: 'released' }
  // A reservation still counts after its time is over, until another checkout or the sweep ends it.
  let capacity: Capacity = {}
  if (redemption.state === 'expired') {
    if (!coupon) return { rejection: 'coupon_deleted' }
    capacity = await ensureCapacity(tx, coupon, { customerId: redemption.customerId, now })
    if (capacity.rejection) return capacity
    countRedemption(tx, redemption)
  }
  return { ...capacity, redemption: await updateRedemptionState(tx, redemption, 'confirmed'), effect: 'confirmed' }
}
