import { errors } from '@storekeep/common/errors'
import { type Call, type CallOptions, internalActor, requireStore } from '@storekeep/common/grpc'
import type { CouponLedger, Refusal, Slot } from '../adapters/coupon-ledger.ts'
import type { AppContext } from '../context.ts'
import {
  abandonHold,
  deleteHold,
  findReleasingHold,
  type HoldKey,
  insertHold,
  type NewHold,
} from '../sessions/db/coupon-reservation-repository.ts'

/**
 * Takes the slot of a coupon for a session that is written next. Neither may be left without the other, and either
 * process can die at any point, so a hold is written first and ends with the session, in one transaction
 * (`settleHold`), or with the slot given back. The sweeper ends those that nobody else does.
 *
 * @param isAnswered whether a call with the same Idempotency-Key has been answered by now
 * @throws ServiceFault `conflict` while another call with the same Idempotency-Key is at it, `service-unavailable` when
 * it is unknown whether there is a slot
 * @returns `taken`, or why nothing was
 */
export async function takeSlot(
  ctx: AppContext,
  call: Call,
  slot: Slot,
  isAnswered: () => Promise<boolean>,
): Promise<'taken' | 'answered' | Exclude<Refusal, 'over'>> {
  const key = { storeId: requireStore(call), checkoutId: slot.checkoutId }
  const createdAt = ctx.clock.now()
  const abandonedAt = new Date(createdAt.getTime() + abandonedMs)
  const hold = { ...key, couponId: slot.couponId, idempotency: call.idempotency, createdAt, abandonedAt }
  const isFirst = (await insertHold(ctx.database, hold)) || (await replaceReleasing(ctx, call, hold))
  const drop = async () => {
    if (isFirst) await deleteHold(ctx.database, key)
  }
  // A hold ends in the transaction that keeps the answer: now that ours stands, an answer to an earlier call is there.
  const answered = await isAnswered().catch(async (error: unknown) => {
    await drop()
    throw error
  })
  if (answered) {
    await drop()
    return 'answered'
  }
  if (!isFirst) throw errors.stillRunning()
  const refusal = await ctx.coupons.reserve(slot, call).catch(async (error: unknown) => {
    await releaseReservation(ctx, call, key)
    throw error
  })
  if (refusal === undefined) return 'taken'
  // The sweeper was quicker than we: it took us for dead.
  if (refusal === 'over') throw errors.unavailable(new Error('the hold was given up in the meantime'))
  await deleteHold(ctx.database, key)
  return refusal
}

/**
 * Puts the hold in the place of one that a failed call with the same Idempotency-Key left. The slot of that one is given
 * back first: the repeated call shall not find a coupon used up by the call that it repeats.
 * @throws ServiceFault `service-unavailable` when it cannot be given back
 */
async function replaceReleasing(ctx: AppContext, call: Call, hold: NewHold): Promise<boolean> {
  const earlier = await findReleasingHold(ctx.database, hold)
  if (!earlier) return false
  await endHold(ctx, earlier, causeOf(call))
  return await insertHold(ctx.database, hold)
}

/**
 * Gives back the slot of a session that was not written. Does nothing when it was after all: a commit whose answer got
 * lost may have happened. Never throws; what fails now is left to the sweeper.
 */
export async function releaseReservation(ctx: AppContext, call: Call, key: HoldKey): Promise<void> {
  try {
    const nextAt = new Date(ctx.clock.now().getTime() + releaseMs * 2)
    if (!(await abandonHold(ctx.database, key, nextAt))) return
    await endHold(ctx, key, causeOf(call))
  } catch (error) {
    call.log.warn({ err: error }, 'a coupon slot could not be given back; the sweeper will')
  }
}

/** Gives the slot of an abandoned hold back, and forgets the hold. */
export async function endHold(ctx: HoldEnder, key: HoldKey, cause: Cause): Promise<void> {
  // Nobody's call: whoever asked for the slot may be gone, and its time be over.
  const options: CallOptions = { ...cause, storeId: key.storeId, actor: internalActor, deadlineMs: releaseMs }
  await ctx.coupons.release(key.checkoutId, options)
  await deleteHold(ctx.database, key)
}

function causeOf({ requestId, traceparent }: Call): Cause {
  return { requestId, traceparent }
}

interface HoldEnder extends Pick<AppContext, 'database'> {
  coupons: Pick<CouponLedger, 'release'>
}

type Cause = Pick<CallOptions, 'requestId' | 'traceparent'>

/** Longer than any call has time for. */
const abandonedMs = 15_000
const releaseMs = 2000
