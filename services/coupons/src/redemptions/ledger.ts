import { errors } from '@storekeep/common/errors'
import type { Transaction } from '@storekeep/common/postgres'
import {
  countRedemption,
  findCustomerUsage,
  type LockedCoupon,
  lockCouponUsage,
  uncountRedemption,
} from './db/coupon-usage-repository.ts'
import {
  type CouponKey,
  expireReservations,
  findLedgerEntry,
  insertReleased,
  insertReservation,
  type LedgerEntry,
  limitLockWait,
  lockRedemption,
  type NewRedemption,
  updateRedemptionState,
} from './db/redemption-repository.ts'
import { type CouponUsage, type Redemption, type Refusal, refusalFor } from './domain/redemption.ts'

/*
 * The moves of the ledger. All that they decide by they read under the lock of the coupon's row, and each change
 * of a redemption is made together with its counters: so the limits hold exactly, whatever runs at the same time. The
 * coupon is locked before the redemption, everywhere.
 */

/** What became of a move. */
export interface LedgerAnswer {
  /** Unless it was refused, or there is none. */
  redemption?: Redemption
  refusal?: Refusal
  /** Absent when nothing changed. Closed: from now on it gets no place; it did not have one. */
  effect?: 'reserved' | 'confirmed' | 'released' | 'closed'
  /** How many reservations of others were ended to make room. */
  expired?: number
}

/**
 * Takes a place for a checkout; the same again is answered the same.
 * @throws ServiceFault `conflict` when the checkout has a redemption of something else
 */
export async function reserve(tx: Transaction, given: NewRedemption, now: Date): Promise<LedgerAnswer> {
  const { storeId, checkoutId, couponId } = given
  const coupon = await lockCouponUsage(tx, storeId, couponId)
  const known = await findLedgerEntry(tx, storeId, checkoutId)
  if (known) return reservedBefore(known, given)
  if (coupon?.versionId !== given.couponVersionId) return { refusal: 'changed' }
  const room = await makeRoom(tx, coupon, given.customerId, now)
  if (room.refusal) return room
  const redemption = await insertReservation(tx, given)
  if (!redemption) return reservedBefore(await findLedgerEntry(tx, storeId, checkoutId), given)
  countRedemption(tx, redemption)
  return { ...room, redemption, effect: 'reserved' }
}

/** Makes the place of a checkout final. One that has expired is taken again, if there is room. */
export async function confirm(tx: Transaction, { storeId, checkoutId, now }: LedgerRequest): Promise<LedgerAnswer> {
  const known = await findLedgerEntry(tx, storeId, checkoutId)
  if (!known) return { refusal: 'unknown' }
  if (known.couponId === null) return { refusal: 'released' }
  const coupon = await lockCouponUsage(tx, storeId, known.couponId)
  const redemption = await lockRedemption(tx, known)
  if (redemption.state === 'confirmed') return { redemption }
  if (redemption.state === 'released') return { refusal: 'released' }
  // A reserved one still has its place, whatever the time: nobody has needed it.
  let room: Room = {}
  if (redemption.state === 'expired') {
    if (!coupon) return { refusal: 'changed' }
    room = await makeRoom(tx, coupon, redemption.customerId, now)
    if (room.refusal) return room
    countRedemption(tx, redemption)
  }
  return { ...room, redemption: await updateRedemptionState(tx, redemption, 'confirmed'), effect: 'confirmed' }
}

/** Gives the place of a checkout back, also one that it does not have yet. */
export async function release(tx: Transaction, { storeId, checkoutId, now }: LedgerRequest): Promise<LedgerAnswer> {
  let known = await findLedgerEntry(tx, storeId, checkoutId)
  if (!known) {
    if (await insertReleased(tx, storeId, checkoutId, now)) return { effect: 'closed' }
    // A reservation came meanwhile.
    known = await findLedgerEntry(tx, storeId, checkoutId)
  }
  if (!known || known.couponId === null) return {}
  await lockCouponUsage(tx, storeId, known.couponId)
  const redemption = await lockRedemption(tx, known)
  if (redemption.state === 'released') return { redemption }
  const hadPlace = redemption.state !== 'expired'
  if (hadPlace) uncountRedemption(tx, redemption)
  const released = await updateRedemptionState(tx, redemption, 'released')
  return { redemption: released, effect: hadPlace ? 'released' : 'closed' }
}

/**
 * Ends reservations of a coupon whose time is over, a batch of them. Who holds the coupon for long is not waited for.
 * @returns how many
 * @throws ServiceFault `service-unavailable` when the coupon is held
 */
export async function expireCouponReservations(tx: Transaction, coupon: CouponKey, now: Date): Promise<number> {
  await limitLockWait(tx, 200)
  await lockCouponUsage(tx, coupon.storeId, coupon.couponId)
  return await expireReservations(tx, coupon, { now, limit: expiryBatch })
}

/** Reservations that are ended at once: some hundredths of a second, for which the others of the coupon wait. */
export const expiryBatch = 500

/** What there is to say of a checkout that has an entry. */
function reservedBefore(known: LedgerEntry | undefined, given: NewRedemption): LedgerAnswer {
  if (!known) throw new Error('An entry of the ledger vanished.')
  if (known.couponId === null) return { refusal: 'released' }
  const { couponId, couponVersionId, customerId } = given
  const isSame =
    known.couponId === couponId && known.couponVersionId === couponVersionId && known.customerId === customerId
  if (!isSame) throw errors.conflict('The checkout has another redemption.')
  return known.state === 'released' || known.state === 'expired' ? { refusal: 'released' } : { redemption: known }
}

/**
 * Whether there is room for one more, if need be once expired reservations are gone: those of the customer, who may
 * have all places of its own limit among the newest, and then the oldest of all. However many have expired, each call
 * ends no more than two batches. So a limit that was lowered far below its usage may refuse until the sweep has come
 * round; it never grants too many.
 */
async function makeRoom(tx: Transaction, coupon: LockedCoupon, customerId: string, now: Date): Promise<Room> {
  const ofAll = { storeId: coupon.storeId, couponId: coupon.id }
  let expired = 0
  const refusal = async () => {
    const left = { ...coupon, used: coupon.used - BigInt(expired) }
    return refusalFor(left, await usageOf(tx, left, customerId))
  }
  let refused = await refusal()
  if (refused && coupon.redeemLimitCustomerEnabled) {
    expired += await expireReservations(tx, { ...ofAll, customerId }, { now, limit: expiryBatch })
    refused = await refusal()
  }
  if (refused === 'exhausted') {
    expired += await expireReservations(tx, ofAll, { now, limit: expiryBatch })
    refused = await refusal()
  }
  return { ...(expired > 0 && { expired }), ...(refused && { refusal: refused }) }
}

type Room = Pick<LedgerAnswer, 'refusal' | 'expired'>

async function usageOf(tx: Transaction, coupon: LockedCoupon, customerId: string): Promise<CouponUsage> {
  const byCustomer = coupon.redeemLimitCustomerEnabled ? await findCustomerUsage(tx, coupon, customerId) : 0n
  return { byAll: coupon.used, byCustomer }
}

interface LedgerRequest {
  storeId: string
  checkoutId: string
  now: Date
}
