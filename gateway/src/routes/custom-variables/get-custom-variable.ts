import {
  customVariableDto,
  customVariableDtoSchema,
  customVariableExample,
} from '@storekeep/records/custom-variables/custom-variable-dto'
import { endpoint } from '../../http/endpoint.ts'
import { customVariablePath } from './custom-variable-path.ts'

export const getCustomVariable = endpoint({
  operationId: 'getCustomVariable',
  tag: 'Custom variables',
  summary: 'Get a custom variable',
  description: 'Returns one custom variable by its id.',
  method: 'get',
  path: '/v1/stores/{storeId}/custom-variables/{customVariableId}',
  auth: 'api-key',
  scope: 'custom-variables:read',
  params: customVariablePath,
  success: {
    status: 200,
    description: 'The custom variable.',
    schema: customVariableDtoSchema,
    example: customVariableExample,
  },
  async handle({ customVariables }, { params, call }) {
    const { customVariable } = await customVariables.getCustomVariable(params, call)
    return { body: customVariableDto(customVariable) }
  },
})
