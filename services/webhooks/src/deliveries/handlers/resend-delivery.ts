import { errors } from '@storekeep/common/errors'
import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import { write } from '@storekeep/common/write'
import type { AppContext, DeliveriesHandlers } from '../../context.ts'
import { findDelivery } from '../db/delivery-repository.ts'
import { scheduleAgain } from '../db/schedule-repository.ts'
import { deliveryToProto } from '../mappers.ts'
import { requireEnabledEndpoint } from '../steps/require-endpoint.ts'

/** The event becomes another delivery, with a separate log and the same `webhook-id`. */
export function resendDelivery(ctx: AppContext): DeliveriesHandlers['resendDelivery'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const id = requireFlakeId('delivery_id', request.deliveryId)
    return write(ctx, call, request, async (tx) => {
      const endpoint = await requireEnabledEndpoint(tx, storeId, request.webhookEndpointId)
      const before = await findDelivery(tx, endpoint, id)
      if (!before) throw errors.notFound('delivery')
      const [again] = await scheduleAgain(tx, endpoint, { eventIds: [before.eventId] })
      if (!again) throw errors.notFound('delivery')
      tx.afterCommit(ctx.deliverySignal.wake)
      return { delivery: deliveryToProto(again) }
    })
  }
}
