import {
  customVariableDto,
  customVariableDtoSchema,
  customVariableExample,
} from '@storekeep/records/custom-variables/custom-variable-dto'
import { updateExample } from '@storekeep/records/schemas/record'
import { endpoint } from '../../http/endpoint.ts'
import { customVariableInput, customVariableMask, customVariablePatch } from './custom-variable-input.ts'
import { customVariablePath } from './custom-variable-path.ts'

export const updateCustomVariable = endpoint({
  operationId: 'updateCustomVariable',
  tag: 'Custom variables',
  summary: 'Update a custom variable',
  description:
    'Omitted fields are left unchanged; `options` replaces the whole list. Changing `type` removes what the new type ' +
    'cannot have: the options or the pattern.',
  method: 'patch',
  path: '/v1/stores/{storeId}/custom-variables/{customVariableId}',
  auth: 'api-key',
  scope: 'custom-variables:write',
  params: customVariablePath,
  body: customVariablePatch,
  bodyExample: { name: 'Color of the name tag' },
  success: {
    status: 200,
    description: 'The updated custom variable.',
    schema: customVariableDtoSchema,
    example: {
      ...customVariableExample,
      name: 'Color of the name tag',
      ...updateExample,
    },
  },
  async handle({ customVariables }, { params, body, call }) {
    const update = {
      customVariableId: params.customVariableId,
      customVariable: customVariableInput(body),
      updateMask: { paths: customVariableMask(body) },
    }
    const { customVariable } = await customVariables.updateCustomVariable(update, call)
    return { body: customVariableDto(customVariable) }
  },
})
