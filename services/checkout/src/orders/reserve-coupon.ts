import { errors } from '@storekeep/common/errors'
import type { Call } from '@storekeep/common/grpc'
import type { AppContext } from '../context.ts'
import { takeSlot } from '../saga/slot-saga.ts'
import type { CheckoutDraft } from '../sessions/domain/checkout-draft.ts'
import { notUsable } from '../sessions/domain/codes.ts'
import { priceSession } from './price-session.ts'
import { type Order, readOrder } from './read-order.ts'
import type { PricedSession } from './session-size.ts'

/**
 * Takes a slot of the coupon of an order, if it has one. A coupon that has changed since the order was priced is read
 * and priced once more.
 *
 * @param isAnswered whether a call with the same Idempotency-Key has been answered by now
 * @throws ServiceFault `validation-failed` when no slot is left, `conflict`, `service-unavailable`
 * @returns the session at the price that the slot is for; undefined when the call has been answered before
 */
export async function reserveCoupon(
  ctx: AppContext,
  call: Call,
  { draft, checkoutId, expiresAt, isAnswered }: Reservation,
  first: Order,
): Promise<PricedSession | undefined> {
  let order = first
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const priced = priceSession(draft, order)
    const { coupon } = order.codes
    if (!coupon) return priced
    const outcome = await takeSlot(
      ctx,
      call,
      {
        couponId: coupon.terms.id,
        couponVersionId: coupon.terms.versionId,
        customerId: draft.customerId,
        checkoutId,
        expiresAt: new Date(expiresAt.getTime() + slackMs),
      },
      isAnswered,
    )
    switch (outcome) {
      case 'taken':
        return priced
      case 'answered':
        return undefined
      case 'exhausted':
        throw errors.validationFailed([notUsable(coupon.path, 'coupon-exhausted')])
      case 'customer-limit':
        throw errors.validationFailed([notUsable(coupon.path, 'coupon-customer-limit')])
      case 'changed':
        order = await readOrder(ctx, call, draft, ctx.clock.now())
    }
  }
  throw errors.conflict('The coupon was changed in the meantime.')
}

interface Reservation {
  draft: CheckoutDraft
  checkoutId: string
  /** Of the session. */
  expiresAt: Date
  isAnswered(): Promise<boolean>
}

const maxAttempts = 2
/** A slot outlives its session, so that a session that is paid in its last moment has it still. */
const slackMs = 60_000
