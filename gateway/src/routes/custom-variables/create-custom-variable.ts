import { customVariableLimits } from '@storekeep/proto/conventions/limits'
import {
  customVariableDto,
  customVariableDtoSchema,
  customVariableExample,
} from '@storekeep/records/custom-variables/custom-variable-dto'
import { endpoint } from '../../http/endpoint.ts'
import { customVariableInput, newCustomVariable, newCustomVariableExample } from './custom-variable-input.ts'

export const createCustomVariable = endpoint({
  operationId: 'createCustomVariable',
  tag: 'Custom variables',
  summary: 'Create a custom variable',
  description:
    'Creates a question that buyers answer when they buy a product. A store can have at most ' +
    `${customVariableLimits.perStore} custom variables, and ${customVariableLimits.optionsPerStore} options in total.`,
  method: 'post',
  path: '/v1/stores/{storeId}/custom-variables',
  auth: 'api-key',
  scope: 'custom-variables:write',
  body: newCustomVariable,
  bodyExample: newCustomVariableExample,
  success: {
    status: 200,
    description: 'The created custom variable.',
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
