import { endpoint } from '../../http/endpoint.ts'
import { customVariableDto, customVariableDtoSchema, customVariableExample } from './custom-variable-dto.ts'
import { customVariableInput, newCustomVariable, newCustomVariableExample } from './custom-variable-input.ts'

export const createCustomVariable = endpoint({
  operationId: 'CustomVariables_CreateCustomVariable',
  tag: 'Custom variables',
  summary: 'Create a custom variable',
  description:
    'An input that buyers of a product give. A store has at most 500 of them, and at most 4,000 options in all of its ' +
    'dropdowns together.',
  method: 'post',
  path: '/v1/stores/{storeId}/custom-variables',
  auth: 'api-key',
  scope: 'custom-variables:write',
  body: newCustomVariable,
  bodyExample: newCustomVariableExample,
  success: {
    status: 200,
    description: 'The new custom variable.',
    schema: customVariableDtoSchema,
    example: customVariableExample,
  },
  async handle({ customVariables }, { body, call }) {
    const { customVariable } = await customVariables.createCustomVariable(
      { customVariable: customVariableInput(body) },
      call,
    )
    return { body: customVariableDto(customVariable) }
  },
})
