import { type EventHandler, onEvent } from '@storekeep/common/events'
import { CheckoutSessionCanceledSchema, CheckoutSessionExpiredSchema } from '@storekeep/proto/checkout/v1/events'
import type { AppContext } from '../../context.ts'
import { countOutcome } from '../steps/count-outcome.ts'
import { release } from '../steps/release.ts'

/** Releases the redemption of a checkout that was canceled or has expired. */
export function onCheckoutSessionEnded(ctx: AppContext): EventHandler {
  const ends = [CheckoutSessionCanceledSchema, CheckoutSessionExpiredSchema]
  return onEvent(ends, async (tx, { storeId, aggregateId, message }) => {
    if (storeId === undefined || message.session?.couponId === undefined) return
    countOutcome(
      ctx,
      tx,
      await release(tx, { storeId, checkoutId: message.session.redemptionId ?? aggregateId, now: ctx.clock.now() }),
    )
  })
}
