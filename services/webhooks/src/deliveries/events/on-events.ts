import type { EventEnvelope, OrderedConsumerParts } from '@storekeep/common/events'
import { eventMessages, renderEvent } from '@storekeep/records/events/event-types'
import type { AppContext } from '../../context.ts'
import { preferIndexes, scheduleEvents, selectReceivingStores } from '../db/schedule-repository.ts'
import type { WebhookEvent } from '../db/schema.ts'

/** Schedules the deliveries of every event on the bus. Stores without an endpoint cost one query per batch. */
export function onEvents(ctx: Pick<AppContext, 'database' | 'deliverySignal'>): OrderedConsumerParts {
  return {
    name: 'webhooks-events',
    filterSubject: '>',
    deliver: 'in-order',
    schemas: eventMessages,
    async choose(events) {
      const storeIds = new Set(events.flatMap(({ storeId }) => storeId ?? []))
      const receiving = storeIds.size === 0 ? storeIds : await selectReceivingStores(ctx.database, [...storeIds])
      return ({ storeId }) => storeId !== undefined && receiving.has(storeId)
    },
    async apply(tx, events) {
      const rendered = events.flatMap((event) => toWebhookEvent(event) ?? [])
      await preferIndexes(tx)
      const scheduled = await scheduleEvents(tx, rendered)
      if (scheduled > 0) tx.afterCommit(ctx.deliverySignal.wake)
    },
  }
}

function toWebhookEvent(event: EventEnvelope): WebhookEvent | undefined {
  const { id, storeId, aggregate, aggregateId, time, traceparent } = event
  if (storeId === undefined) return undefined
  const rendered = renderEvent({ ...event, storeId })
  return (
    rendered && { storeId, id, ...rendered, resource: `${aggregate} ${aggregateId}`, traceparent, occurredAt: time }
  )
}
