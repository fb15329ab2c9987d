import { errors } from '@storekeep/common/errors'
import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import { actorText } from '@storekeep/common/message'
import { conflictOn } from '@storekeep/common/postgres'
import { write } from '@storekeep/common/write'
import type { AppContext, CustomVariablesHandlers } from '../context.ts'
import { lockCustomVariable, updateVariableState } from '../db/custom-variable-repository.ts'
import { countStoreSize, lockStoreSize } from '../db/store-size-repository.ts'
import { uniqueIdentifier } from '../db/unique-identifier.ts'
import { checkStoreSize } from '../domain/limits.ts'
import { applyChange, checkChange } from '../domain/variable-change.ts'
import { publishCustomVariableUpdated } from '../events/publish.ts'
import { variableInputFromProto, variableToProto } from '../mappers.ts'
import { withPatternProblem } from '../steps/pattern-problem.ts'

export function updateCustomVariable(ctx: AppContext): CustomVariablesHandlers['updateCustomVariable'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const id = requireFlakeId('custom_variable_id', request.customVariableId)
    const input = variableInputFromProto(request.customVariable)
    const mask = request.updateMask?.paths ?? []
    const change = checkChange(
      mask.includes('value_regex') ? await withPatternProblem(ctx, call, storeId, input) : input,
      mask,
    )
    return write(ctx, call, request, async (tx) => {
      const row = await lockCustomVariable(tx, storeId, id)
      if (!row) throw errors.notFound('custom variable')
      const changed = applyChange(row, change)
      if (!changed) return { customVariable: variableToProto(row) }
      const grows = changed.options.length > row.options.length
      if (grows) await lockStoreSize(tx, storeId)
      const by = { updatedBy: actorText(call.actor), updatedAt: ctx.clock.now() }
      const written = await conflictOn(uniqueIdentifier, updateVariableState(tx, row, changed, by))
      if (grows) checkStoreSize(await countStoreSize(tx, storeId))
      await publishCustomVariableUpdated(tx, written, call)
      return { customVariable: variableToProto(written) }
    })
  }
}
