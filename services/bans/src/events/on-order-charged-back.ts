import { type EventHandler, onEvent } from '@storekeep/common/events'
import { internalActor } from '@storekeep/common/grpc'
import { actorText } from '@storekeep/common/message'
import { OrderChargedBackSchema } from '@storekeep/proto/orders/v1/events'
import type { AppContext } from '../context.ts'
import { insertBan } from '../db/ban-repository.ts'
import { checkNewBan } from '../domain/ban-draft.ts'
import { publishBanCreated } from './publish.ts'

/** Bans the customer of a charged-back order if the store has enabled that. The consumer applies each event once. */
export function onOrderChargedBack(ctx: AppContext): EventHandler {
  return onEvent(OrderChargedBackSchema, async (tx, { storeId, message, traceparent }) => {
    const { order, banCustomer } = message
    if (storeId === undefined || !order || !banCustomer) return
    const now = ctx.clock.now()
    const reason = `Chargeback of order ${order.number}`
    const draft = checkNewBan({ reason, identities: [{ type: 'customer', value: order.customerId }] }, now)
    const id = await ctx.ids.next()
    const row = insertBan(tx, { ...draft, id, storeId, createdBy: actorText(internalActor), createdAt: now })
    await publishBanCreated(tx, row, now, { traceparent })
  })
}
