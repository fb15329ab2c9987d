import { requireStore } from '@storekeep/common/grpc'
import { actorText } from '@storekeep/common/message'
import { conflictOn } from '@storekeep/common/postgres'
import { write } from '@storekeep/common/write'
import type { AppContext, CustomVariablesHandlers } from '../context.ts'
import { insertCustomVariable } from '../db/custom-variable-repository.ts'
import { countOfStore, lockStoreSize } from '../db/store-size-repository.ts'
import { takenIdentifier } from '../db/taken-identifier.ts'
import { checkStoreSize } from '../domain/limits.ts'
import { checkNewVariable } from '../domain/variable-draft.ts'
import { publishCustomVariableCreated } from '../events/publish.ts'
import { variableInputFromProto, variableToProto } from '../mappers.ts'

export function createCustomVariable(ctx: AppContext): CustomVariablesHandlers['createCustomVariable'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const draft = checkNewVariable(variableInputFromProto(request.customVariable))
    return write(ctx, call, request, async (tx) => {
      await lockStoreSize(tx, storeId)
      const variable = { ...draft, storeId, createdBy: actorText(call.actor), createdAt: ctx.clock.now() }
      const row = await conflictOn(takenIdentifier, insertCustomVariable(tx, variable))
      checkStoreSize(await countOfStore(tx, storeId))
      await publishCustomVariableCreated(tx, row, call)
      return { customVariable: variableToProto(row) }
    })
  }
}
