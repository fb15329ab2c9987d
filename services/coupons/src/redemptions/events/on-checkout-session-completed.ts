import { type EventHandler, onEvent } from '@storekeep/common/events'
import { CheckoutSessionCompletedSchema } from '@storekeep/proto/checkout/v1/events'
import type { AppContext } from '../../context.ts'
import { confirm } from '../ledger.ts'
import { countMove } from '../metrics.ts'

/**
 * What the checkout has confirmed before it completed is confirmed once more, in case that call was lost with
 * somebody's memory of it. A refusal comes too late to stop anything, and so is only told.
 */
export function onCheckoutSessionCompleted(ctx: AppContext): EventHandler {
  return onEvent(CheckoutSessionCompletedSchema, async (tx, { storeId, aggregateId, message }) => {
    if (storeId === undefined || message.session?.couponId === undefined) return
    const answer = await confirm(tx, { storeId, checkoutId: aggregateId, now: ctx.clock.now() })
    countMove(ctx, tx, answer)
    if (answer.refusal === undefined) return
    const fields = { store_id: storeId, aggregate_id: aggregateId, reason: answer.refusal }
    ctx.log.warn(fields, 'a completed checkout has a coupon that is not redeemed')
  })
}
