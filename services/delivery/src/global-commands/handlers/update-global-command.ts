import { errors } from '@storekeep/common/errors'
import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import { actorText } from '@storekeep/common/message'
import { write } from '@storekeep/common/write'
import type { AppContext, GlobalCommandsHandlers } from '../../context.ts'
import { lockGlobalCommand, updateGlobalCommandState } from '../db/global-command-repository.ts'
import { applyChange, pickChange } from '../domain/global-command-change.ts'
import { globalCommandInputFromProto, globalCommandToProto } from '../mappers.ts'
import { requireServers } from '../steps/require-servers.ts'

export function updateGlobalCommand(ctx: AppContext): GlobalCommandsHandlers['updateGlobalCommand'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const id = requireFlakeId('global_command_id', request.globalCommandId)
    const change = pickChange(globalCommandInputFromProto(request.globalCommand), request.updateMask?.paths ?? [])
    return write(ctx, call, request, async (tx) => {
      const row = await lockGlobalCommand(tx, storeId, id)
      if (!row) throw errors.notFound('global command')
      const changed = applyChange(row, change)
      if (!changed) return { globalCommand: globalCommandToProto(row) }
      // Servers that were deleted meanwhile may stay in a list that does not change.
      if (change.gameServerIds) await requireServers(tx, storeId, changed)
      const by = { updatedBy: actorText(call.actor), updatedAt: ctx.clock.now() }
      return { globalCommand: globalCommandToProto(await updateGlobalCommandState(tx, row, changed, by)) }
    })
  }
}
