import { requireStore } from '@storekeep/common/grpc'
import { write } from '@storekeep/common/write'
import type { AppContext, DeliveriesHandlers } from '../../context.ts'
import { scheduleAgain } from '../db/schedule-repository.ts'
import { checkResendRange } from '../domain/resend-range.ts'
import { resendRangeFromProto } from '../mappers.ts'
import { requireEnabledEndpoint } from './require-endpoint.ts'

export function resendDeliveries(ctx: AppContext): DeliveriesHandlers['resendDeliveries'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const range = checkResendRange(resendRangeFromProto(request))
    return write(ctx, call, request, async (tx) => {
      const endpoint = await requireEnabledEndpoint(tx, storeId, request.webhookEndpointId)
      const again = await scheduleAgain(tx, endpoint, { ...range, limit: maxResent }, ctx.clock.now())
      tx.afterCommit(ctx.deliverySignal.wake)
      return { scheduled: again.length }
    })
  }
}

/** Keeps the transaction, which blocks new deliveries to the endpoint, far below its time limit. */
const maxResent = 10_000
