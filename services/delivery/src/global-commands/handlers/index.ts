import type { AppContext, GlobalCommandsHandlers } from '../../context.ts'
import { createGlobalCommand } from './create-global-command.ts'
import { deleteGlobalCommand } from './delete-global-command.ts'
import { listGlobalCommands } from './list-global-commands.ts'
import { updateGlobalCommand } from './update-global-command.ts'

export function createGlobalCommandHandlers(ctx: AppContext): GlobalCommandsHandlers {
  return {
    createGlobalCommand: createGlobalCommand(ctx),
    listGlobalCommands: listGlobalCommands(ctx),
    updateGlobalCommand: updateGlobalCommand(ctx),
    deleteGlobalCommand: deleteGlobalCommand(ctx),
  }
}
