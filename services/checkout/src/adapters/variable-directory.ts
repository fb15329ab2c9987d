import { isFault, type Violation } from '@storekeep/common/errors'
import { type Call, type Client, onBehalfOf } from '@storekeep/common/grpc'
import type { CustomVariablesService } from '@storekeep/proto/custom_variables/v1/custom_variables_service'

/** The custom variables of the caller's store. */
export function createVariableDirectory(
  customVariables: Pick<Client<typeof CustomVariablesService>, 'resolveValues' | 'listCustomVariables'>,
): VariableDirectory {
  return {
    async findUnknown(ids, call) {
      if (ids.length === 0) return []
      const line = {
        path: 'custom_variables',
        customVariableIds: [...ids],
        customVariableIdsPath: 'custom_variable_ids',
      }
      try {
        await customVariables.resolveValues({ lines: [line] }, onBehalfOf(call))
        return []
      } catch (error) {
        if (!isFault(error, 'validation-failed')) throw error
        // No buyer has answered yet, so missing answers are expected.
        return error.violations.filter(({ validation }) => validation !== 'required')
      }
    },
    async identifiers(call) {
      const { customVariables: all } = await customVariables.listCustomVariables({}, onBehalfOf(call))
      return new Map(all.map(({ id, identifier }) => [id, identifier]))
    },
  }
}

export interface VariableDirectory {
  /**
   * The violations of custom variables of a product that do not exist.
   * @throws ServiceFault `service-unavailable`
   */
  findUnknown(ids: readonly string[], call: Call): Promise<Violation[]>
  /** The identifiers of all variables of the store, by id. @throws ServiceFault `service-unavailable` */
  identifiers(call: Call): Promise<ReadonlyMap<string, string>>
}
