import { requireStore } from '@storekeep/common/grpc'
import type { AppContext } from '../context.ts'
import { selectCustomVariables } from '../db/custom-variable-repository.ts'
import { variableToProto } from '../mappers.ts'
import type { CustomVariablesHandlers } from './index.ts'

export function listCustomVariables(ctx: AppContext): CustomVariablesHandlers['listCustomVariables'] {
  return async (_request, call) => {
    const rows = await selectCustomVariables(ctx.database, requireStore(call))
    return { customVariables: rows.map(variableToProto) }
  }
}
