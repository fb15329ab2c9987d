import { requireStore } from '@storekeep/common/grpc'
import { actorText } from '@storekeep/common/message'
import { conflictOn } from '@storekeep/common/postgres'
import { write } from '@storekeep/common/write'
import type { AppContext, CustomVariablesHandlers } from '../context.ts'
import { insertCustomVariable } from '../db/custom-variable-repository.ts'
import { countStoreSize, lockStoreSize } from '../db/store-size-repository.ts'
import { uniqueIdentifier } from '../db/unique-identifier.ts'
import { checkStoreSize } from '../domain/limits.ts'
import { checkNewVariable } from '../domain/variable-draft.ts'
import { publishCustomVariableCreated } from '../events/publish.ts'
import { variableInputFromProto, variableToProto } from '../mappers.ts'
import { withPatternProblem } from '../steps/pattern-problem.ts'

export function createCustomVariable(ctx: AppContext): CustomVariablesHandlers['createCustomVariable'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const input = variableInputFromProto(request.customVariable)
    const draft = checkNewVariable(await withPatternProblem(ctx, call, storeId, input))
    const created = write(ctx, call, request, async (tx) => {
      const [, size] = await Promise.all([lockStoreSize(tx, storeId), countStoreSize(tx, storeId)])
      const { variables, options } = size
      checkStoreSize({ variables: variables + 1, options: options + draft.options.length })
      const row = insertCustomVariable(tx, {
        ...draft,
        id: await ctx.ids.next(),
        storeId,
        options: await Promise.all(draft.options.map(async (option) => ({ ...option, id: await ctx.ids.next() }))),
        createdBy: actorText(call.actor),
        createdAt: ctx.clock.now(),
      })
      await publishCustomVariableCreated(tx, row, call)
      return { customVariable: variableToProto(row) }
    })
    return conflictOn(uniqueIdentifier, created)
  }
}
