import { timestampDate } from '@bufbuild/protobuf/wkt'
import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import { write } from '@storekeep/common/write'
import type { AppContext, DeliveryItemsHandlers } from '../../context.ts'
import { checkResendFilter } from '../domain/resend-filter.ts'
import { resendCommands as resend } from '../steps/resend-commands.ts'

export function resendCommands(ctx: AppContext): DeliveryItemsHandlers['resendCommands'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const filter = checkResendFilter({
      gameServerId: requireFlakeId('game_server_id', request.gameServerId),
      startsAt: request.startsAt && timestampDate(request.startsAt),
      endsAt: request.endsAt && timestampDate(request.endsAt),
      itemId: request.itemId,
      customerId: request.customerId,
      orderId: request.orderId,
      productId: request.productId,
      subscriptionId: request.subscriptionId,
    })
    return write(ctx, call, request, async (tx) => ({
      enqueuedCount: await resend(tx, storeId, filter, ctx.clock.now()),
    }))
  }
}
