import { errors } from '@storekeep/common/errors'
import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import { write } from '@storekeep/common/write'
import type { AppContext, GlobalCommandsHandlers } from '../../context.ts'
import { deleteGlobalCommandRow } from '../db/global-command-repository.ts'

export function deleteGlobalCommand(ctx: AppContext): GlobalCommandsHandlers['deleteGlobalCommand'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const id = requireFlakeId('global_command_id', request.globalCommandId)
    return write(ctx, call, request, async (tx) => {
      if (!(await deleteGlobalCommandRow(tx, storeId, id))) throw errors.notFound('global command')
      return {}
    })
  }
}
