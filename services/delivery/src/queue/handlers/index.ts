import type { AppContext, CommandQueueHandlers } from '../../context.ts'
import { acknowledgeCommands } from './acknowledge-commands.ts'
import { pollCommands } from './poll-commands.ts'
import { recordPlayerJoins } from './record-player-joins.ts'

export function createCommandQueueHandlers(ctx: AppContext): CommandQueueHandlers {
  return {
    pollCommands: pollCommands(ctx),
    acknowledgeCommands: acknowledgeCommands(ctx),
    recordPlayerJoins: recordPlayerJoins(ctx),
  }
}
