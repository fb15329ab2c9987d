import type { Transaction } from '@storekeep/common/postgres'
import { lockCouponUsage, uncountRedemption } from '../db/coupon-usage-repository.ts'
import { findLedgerEntry, insertReleased, lockRedemption, updateRedemptionState } from '../db/redemption-repository.ts'
import type { LedgerRequest, RedemptionOutcome } from '../domain/outcome.ts'

/** Releases the redemption of a checkout. A checkout without one is marked, so that a late reservation is rejected. */
export async function release(
  tx: Transaction,
  { storeId, checkoutId, now }: LedgerRequest,
): Promise<RedemptionOutcome> {
  let known = await findLedgerEntry(tx, storeId, checkoutId)
  if (!known) {
    if (await insertReleased(tx, storeId, checkoutId, now)) return { effect: 'closed' }
    // A reservation was inserted in the meantime.
    known = await findLedgerEntry(tx, storeId, checkoutId)
  }
  if (!known || known.couponId === null) return {}
  await lockCouponUsage(tx, storeId, known.couponId)
  const redemption = await lockRedemption(tx, known)
  if (redemption.state === 'released') return { redemption }
  const wasCounted = redemption.state !== 'expired'
  if (wasCounted) uncountRedemption(tx, redemption)
  const released = await updateRedemptionState(tx, redemption, 'released')
  return { redemption: released, effect: wasCounted ? 'released' : 'closed' }
}
