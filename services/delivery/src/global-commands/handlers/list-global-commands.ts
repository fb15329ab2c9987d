import { requireStore } from '@storekeep/common/grpc'
import type { AppContext, GlobalCommandsHandlers } from '../../context.ts'
import { selectGlobalCommands } from '../db/global-command-repository.ts'
import { globalCommandToProto } from '../mappers.ts'

export function listGlobalCommands(ctx: AppContext): GlobalCommandsHandlers['listGlobalCommands'] {
  return async (_request, call) => {
    const rows = await selectGlobalCommands(ctx.database, requireStore(call))
    return { globalCommands: rows.map(globalCommandToProto) }
  }
}
