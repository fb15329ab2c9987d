import { type EventHandler, onEvent } from '@storekeep/common/events'
import { CheckoutSessionCompletedSchema } from '@storekeep/proto/checkout/v1/events'
import type { AppContext } from '../../context.ts'
import { confirm } from '../steps/confirm.ts'
import { countOutcome } from '../steps/count-outcome.ts'

/**
 * Confirms the redemption of a completed checkout again, in case the confirming call was lost. A rejection comes too late
 * to stop the checkout, so it is only logged.
 */
export function onCheckoutSessionCompleted(ctx: AppContext): EventHandler {
  return onEvent(CheckoutSessionCompletedSchema, async (tx, { storeId, aggregateId, message }) => {
    if (storeId === undefined || message.session?.couponId === undefined) return
    const outcome = await confirm(tx, {
      storeId,
      checkoutId: message.session.redemptionId ?? aggregateId,
      now: ctx.clock.now(),
    })
    countOutcome(ctx, tx, outcome)
    if (outcome.rejection === undefined) return
    const fields = { store_id: storeId, checkout_id: aggregateId, reason: outcome.rejection }
    ctx.log.warn(fields, 'coupon redemption of a completed checkout not confirmed')
  })
}
