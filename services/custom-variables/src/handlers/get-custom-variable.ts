import { errors } from '@storekeep/common/errors'
import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import type { AppContext, CustomVariablesHandlers } from '../context.ts'
import { findCustomVariable } from '../db/custom-variable-repository.ts'
import { variableToProto } from '../mappers.ts'

export function getCustomVariable(ctx: AppContext): CustomVariablesHandlers['getCustomVariable'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const id = requireFlakeId('custom_variable_id', request.customVariableId)
    const row = await findCustomVariable(ctx.database, storeId, id)
    if (!row) throw errors.notFound('custom variable')
    return { customVariable: variableToProto(row) }
  }
}
