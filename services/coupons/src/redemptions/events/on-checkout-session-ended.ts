import { type EventHandler, onEvent } from '@storekeep/common/events'
import { CheckoutSessionCanceledSchema, CheckoutSessionExpiredSchema } from '@storekeep/proto/checkout/v1/events'
import type { AppContext } from '../../context.ts'
import { release } from '../ledger.ts'
import { countMove } from '../metrics.ts'

/** A checkout that ends unpaid gives its place back. */
export function onCheckoutSessionEnded(ctx: AppContext): EventHandler {
  const ends = [CheckoutSessionCanceledSchema, CheckoutSessionExpiredSchema]
  return onEvent(ends, async (tx, { storeId, aggregateId, message }) => {
    if (storeId === undefined || message.session?.couponId === undefined) return
    countMove(ctx, tx, await release(tx, { storeId, checkoutId: aggregateId, now: ctx.clock.now() }))
  })
}
