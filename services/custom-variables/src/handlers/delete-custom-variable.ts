import { errors } from '@storekeep/common/errors'
import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import { write } from '@storekeep/common/write'
import type { AppContext, CustomVariablesHandlers } from '../context.ts'
import { deleteLockedCustomVariable, lockCustomVariable } from '../db/custom-variable-repository.ts'
import { publishCustomVariableDeleted } from '../events/publish.ts'

export function deleteCustomVariable(ctx: AppContext): CustomVariablesHandlers['deleteCustomVariable'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const id = requireFlakeId('custom_variable_id', request.customVariableId)
    return write(ctx, call, request, async (tx) => {
      const row = await lockCustomVariable(tx, storeId, id)
      if (!row) throw errors.notFound('custom variable')
      await deleteLockedCustomVariable(tx, row)
      await publishCustomVariableDeleted(tx, row, call)
      return {}
    })
  }
}
