import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import { findStoredResponse, write } from '@storekeep/common/write'
import type { AppContext, DeliveriesHandlers } from '../../context.ts'
import { scheduleAgain } from '../db/schedule-repository.ts'
import { checkResendRange, notResent } from '../domain/resend-range.ts'
import { resendRangeFromProto } from '../mappers.ts'
import { chooseDeliveries } from '../steps/choose-deliveries.ts'
import { requireEnabledEndpoint } from '../steps/require-endpoint.ts'

/** One transaction schedules all, so that an idempotency key covers them. */
export function resendDeliveries(ctx: AppContext): DeliveriesHandlers['resendDeliveries'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const range = checkResendRange(resendRangeFromProto(request))
    const webhookEndpointId = requireFlakeId('webhook_endpoint_id', request.webhookEndpointId)
    // A retry must not read the range again.
    const stored = await findStoredResponse(ctx, call, request)
    if (stored) return stored
    // Before that transaction, whose lock the deliveries of all stores can wait for.
    const { chosen, continueAfter } = await chooseDeliveries(ctx, call, { storeId, webhookEndpointId }, range)
    return write(ctx, call, request, async (tx) => {
      const endpoint = await requireEnabledEndpoint(tx, storeId, webhookEndpointId)
      const eventIds = chosen.map(({ eventId }) => eventId)
      // Deliveries can have ended since they were read.
      const again = await scheduleAgain(tx, endpoint, { eventIds, unless: notResent(range) })
      tx.afterCommit(ctx.deliverySignal.wake)
      return { scheduled: again.length, ...(continueAfter !== null && { nextAfter: continueAfter }) }
    })
  }
}
