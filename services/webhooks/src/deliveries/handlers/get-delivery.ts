import { errors } from '@storekeep/common/errors'
import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import { renderRequest } from '../../adapters/formats/index.ts'
import type { AppContext, DeliveriesHandlers } from '../../context.ts'
import { findDelivery, findPayload, selectAttempts } from '../db/delivery-repository.ts'
import { attemptToProto, deliveryToProto } from '../mappers.ts'
import { requireEndpoint } from '../steps/require-endpoint.ts'

export function getDelivery(ctx: AppContext): DeliveriesHandlers['getDelivery'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const id = requireFlakeId('delivery_id', request.deliveryId)
    const { row, endpoint } = await requireEndpoint(ctx.database, storeId, request.webhookEndpointId)
    const delivery = await findDelivery(ctx.database, endpoint, id)
    if (!delivery) throw errors.notFound('delivery')
    const [payload, attempts] = await Promise.all([
      findPayload(ctx.database, delivery),
      selectAttempts(ctx.database, delivery),
    ])
    const event = { id: delivery.eventId, type: delivery.eventType, payload }
    const { body } = renderRequest(event, { format: row.format, secrets: [], headers: {} }, delivery.createdAt)
    return { delivery: deliveryToProto(delivery), requestBody: body, attempts: attempts.map(attemptToProto) }
  }
}
