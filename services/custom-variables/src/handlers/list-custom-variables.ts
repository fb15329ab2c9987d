import { requireStore } from '@storekeep/common/grpc'
import type { AppContext, CustomVariablesHandlers } from '../context.ts'
import { selectCustomVariables } from '../db/custom-variable-repository.ts'
import { variableToProto } from '../mappers.ts'

export function listCustomVariables(ctx: AppContext): CustomVariablesHandlers['listCustomVariables'] {
  return async (_request, call) => {
    // Up to 4,500 rows: the connections for scans keep them from delaying a checkout's lookups.
    const rows = await selectCustomVariables(ctx.database.scans(call), requireStore(call))
    return { customVariables: rows.map(variableToProto) }
  }
}
