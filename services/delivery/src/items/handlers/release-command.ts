import { errors } from '@storekeep/common/errors'
import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import { write } from '@storekeep/common/write'
import { attemptToProto } from '../../attempts/mappers.ts'
import type { AppContext, DeliveryItemsHandlers } from '../../context.ts'
import { checkReleaseValues } from '../domain/release-values.ts'
import { publishCommandReleased } from '../events/publish.ts'
import { releaseWithValues } from '../steps/release-commands.ts'

export function releaseCommand(ctx: AppContext): DeliveryItemsHandlers['releaseCommand'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const id = requireFlakeId('attempt_id', request.attemptId)
    const values = checkReleaseValues(request.values)
    return write(ctx, call, request, async (tx) => {
      const released = await releaseWithValues(tx, { storeId, id }, values, ctx.clock.now())
      if (released === 'unknown') throw errors.notFound('command')
      if (released === 'not-blocked') throw errors.conflict('The command is not blocked.')
      await publishCommandReleased(tx, released, call)
      return { attempt: attemptToProto(released) }
    })
  }
}
