import { errors, isFault } from '@storekeep/common/errors'
import { type Call, type Client, onBehalfOf } from '@storekeep/common/grpc'
import type { CustomVariablesService } from '@storekeep/proto/custom_variables/v1/custom_variables_service'

/** The custom variables of the caller's store. */
export function createVariableDirectory(
  customVariables: Pick<Client<typeof CustomVariablesService>, 'resolveValues'>,
): VariableDirectory {
  return {
    async requireKnown(ids, call) {
      if (ids.length === 0) return
      const line = {
        path: 'custom_variables',
        customVariableIds: [...ids],
        customVariableIdsPath: 'custom_variable_ids',
      }
      try {
        await customVariables.resolveValues({ lines: [line] }, onBehalfOf(call))
      } catch (error) {
        if (!isFault(error, 'validation-failed')) throw error
        // No buyer has answered yet, so missing answers are expected.
        const wrong = error.violations.filter(({ validation }) => validation !== 'required')
        if (wrong.length > 0) throw errors.validationFailed(wrong)
      }
    },
  }
}

export interface VariableDirectory {
  /**
   * Asserts that the custom variables of a product exist. Do not call within a transaction.
   * @throws ServiceFault `validation-failed`, `service-unavailable`
   */
  requireKnown(ids: readonly string[], call: Call): Promise<void>
}
