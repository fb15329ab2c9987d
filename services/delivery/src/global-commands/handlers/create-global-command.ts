import { errors } from '@storekeep/common/errors'
import { requireStore } from '@storekeep/common/grpc'
import { actorText } from '@storekeep/common/message'
import { write } from '@storekeep/common/write'
import { deliveryLimits } from '@storekeep/proto/conventions/limits'
import type { AppContext, GlobalCommandsHandlers } from '../../context.ts'
import { insertGlobalCommand, lockGlobalCommandsOf, selectGlobalCommands } from '../db/global-command-repository.ts'
import { checkGlobalCommand } from '../domain/global-command-draft.ts'
import { globalCommandInputFromProto, globalCommandToProto } from '../mappers.ts'
import { requireServers } from '../steps/require-servers.ts'

export function createGlobalCommand(ctx: AppContext): GlobalCommandsHandlers['createGlobalCommand'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const state = checkGlobalCommand(globalCommandInputFromProto(request.globalCommand))
    return write(ctx, call, request, async (tx) => {
      await lockGlobalCommandsOf(tx, storeId)
      const { length } = await selectGlobalCommands(tx, storeId)
      if (length >= deliveryLimits.globalCommands) throw errors.conflict(tooMany)
      await requireServers(tx, storeId, state)
      const createdBy = actorText(call.actor)
      const row = await insertGlobalCommand(tx, { ...state, storeId, createdBy, createdAt: ctx.clock.now() })
      return { globalCommand: globalCommandToProto(row) }
    })
  }
}

const tooMany = `The store has reached the limit of ${deliveryLimits.globalCommands} global commands.`
