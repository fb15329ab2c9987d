import type { AppContext, CustomVariablesHandlers } from '../context.ts'
import { createCustomVariable } from './create-custom-variable.ts'
import { deleteCustomVariable } from './delete-custom-variable.ts'
import { getCustomVariable } from './get-custom-variable.ts'
import { listCustomVariables } from './list-custom-variables.ts'
import { resolveValues } from './resolve-values.ts'
import { updateCustomVariable } from './update-custom-variable.ts'

export function createHandlers(ctx: AppContext): CustomVariablesHandlers {
  return {
    createCustomVariable: createCustomVariable(ctx),
    getCustomVariable: getCustomVariable(ctx),
    listCustomVariables: listCustomVariables(ctx),
    updateCustomVariable: updateCustomVariable(ctx),
    deleteCustomVariable: deleteCustomVariable(ctx),
    resolveValues: resolveValues(ctx),
  }
}
