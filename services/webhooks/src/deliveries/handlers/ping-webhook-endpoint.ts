import { randomUUIDv7 } from 'node:crypto'
import { requireStore } from '@storekeep/common/grpc'
import { write } from '@storekeep/common/write'
import { pingType, renderPing } from '@storekeep/records/events/event-types'
import type { AppContext, DeliveriesHandlers } from '../../context.ts'
import { scheduleForOne } from '../db/schedule-repository.ts'
import { deliveryToProto } from '../mappers.ts'
import { requireEnabledEndpoint } from '../steps/require-endpoint.ts'

export function pingWebhookEndpoint(ctx: AppContext): DeliveriesHandlers['pingWebhookEndpoint'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const now = ctx.clock.now()
    return write(ctx, call, request, async (tx) => {
      const endpoint = await requireEnabledEndpoint(tx, storeId, request.webhookEndpointId)
      const id = randomUUIDv7()
      const ping = {
        storeId,
        id,
        type: pingType,
        // Unique, which bypasses the per-resource ordering.
        resource: `${pingType} ${id}`,
        payload: renderPing(now, storeId, endpoint.webhookEndpointId),
        traceparent: call.traceparent,
        occurredAt: now,
      }
      const delivery = await scheduleForOne(tx, ping, endpoint)
      tx.afterCommit(ctx.deliverySignal.wake)
      return { delivery: deliveryToProto(delivery) }
    })
  }
}
