import { endpoint } from '../../http/endpoint.ts'
import { customVariableDto, customVariableDtoSchema, customVariableExample } from './custom-variable-dto.ts'
import { customVariableInput, customVariableMask, customVariablePatch } from './custom-variable-input.ts'
import { customVariablePath } from './custom-variable-path.ts'

export const updateCustomVariable = endpoint({
  operationId: 'CustomVariables_UpdateCustomVariable',
  tag: 'Custom variables',
  summary: 'Change a custom variable',
  description:
    'What is absent stays as it is. `options` replaces the whole list: an option that names its `id` keeps it, one that ' +
    'is not named goes. Another `type` takes away what it cannot have: options or the pattern.',
  method: 'patch',
  path: '/v1/stores/{storeId}/custom-variables/{customVariableId}',
  auth: 'api-key',
  scope: 'custom-variables:write',
  params: customVariablePath,
  body: customVariablePatch,
  bodyExample: { name: 'Colour of the name tag' },
  success: {
    status: 200,
    description: 'The custom variable as it is now.',
    schema: customVariableDtoSchema,
    example: {
      ...customVariableExample,
      name: 'Colour of the name tag',
      updated_by: customVariableExample.created_by,
      updated_at: '2026-11-20T15:02:41.120Z',
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
