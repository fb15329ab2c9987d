import { errors, violation } from '@storekeep/common/errors'
import { idViolations } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import { write } from '@storekeep/common/write'
import { deliveryLimits } from '@storekeep/proto/conventions/limits'
import { unqueueAttempts } from '../../attempts/steps/queue-commands.ts'
import type { AppContext, DeliveryItemsHandlers } from '../../context.ts'

export function unqueueCommands(ctx: AppContext): DeliveryItemsHandlers['unqueueCommands'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const { attemptIds } = request
    if (attemptIds.length < 1 || attemptIds.length > deliveryLimits.unqueued) {
      throw errors.validationFailed([
        violation('attempt_ids', 'length', `must have 1 to ${deliveryLimits.unqueued} items`),
      ])
    }
    const violations = attemptIds.flatMap((id, index) => idViolations(`attempt_ids.${index}`, id))
    if (violations.length > 0) throw errors.validationFailed(violations)
    return write(ctx, call, request, async (tx) => ({
      unqueuedCount: (await unqueueAttempts(tx, { storeId, attemptIds }, ctx.clock.now())).length,
    }))
  }
}
