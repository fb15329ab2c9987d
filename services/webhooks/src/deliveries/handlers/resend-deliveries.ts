import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import { timestampFromDate } from '@storekeep/common/message'
import { write } from '@storekeep/common/write'
import type { AppContext, DeliveriesHandlers } from '../../context.ts'
import { type FirstDelivery, scheduleAgain, selectToResend } from '../db/schedule-repository.ts'
import { checkResendRange } from '../domain/resend-range.ts'
import { resendRangeFromProto } from '../mappers.ts'
import { requireEnabledEndpoint } from './require-endpoint.ts'

/** One transaction per call, so that an idempotency key covers all that it schedules. */
export function resendDeliveries(ctx: AppContext): DeliveriesHandlers['resendDeliveries'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const range = checkResendRange(resendRangeFromProto(request))
    const webhookEndpointId = requireFlakeId('webhook_endpoint_id', request.webhookEndpointId)
    // Outside of the transaction, whose lock the deliveries of all stores can wait for.
    const chosen = await selectToResend(ctx.database.scans(call), { storeId, webhookEndpointId }, range, maxResent)
    return write(ctx, call, request, async (tx) => {
      const endpoint = await requireEnabledEndpoint(tx, storeId, webhookEndpointId)
      const eventIds = chosen.map(({ eventId }) => eventId)
      const again = await scheduleAgain(tx, endpoint, { eventIds, unlessPending: true }, ctx.clock.now())
      tx.afterCommit(ctx.deliverySignal.wake)
      const nextSince = nextSinceOf(chosen)
      return { scheduled: again.length, ...(nextSince && { nextSince: timestampFromDate(nextSince) }) }
    })
  }
}

/** @returns the `since` of the next call; undefined if no event remains */
function nextSinceOf(chosen: readonly FirstDelivery[]): Date | undefined {
  const last = chosen.at(-1)
  return last && chosen.length >= maxResent ? new Date(last.createdAt.getTime() + 1) : undefined
}

/** Keeps the transaction, which blocks new deliveries to the endpoint, short. */
const maxResent = 500
