import {
  customVariableDto,
  customVariableDtoSchema,
  customVariableExample,
} from '@storekeep/records/custom-variables/custom-variable-dto'
import { z } from 'zod'
import { endpoint } from '../../http/endpoint.ts'

export const listCustomVariables = endpoint({
  operationId: 'listCustomVariables',
  tag: 'Custom variables',
  summary: 'List custom variables',
  description: 'Returns all custom variables of the store, newest first. The list is not paged.',
  method: 'get',
  path: '/v1/stores/{storeId}/custom-variables',
  auth: 'api-key',
  scope: 'custom-variables:read',
  success: {
    status: 200,
    description: 'All custom variables of the store.',
    schema: z.array(customVariableDtoSchema),
    example: [customVariableExample],
  },
  async handle({ customVariables }, { call }) {
    const response = await customVariables.listCustomVariables({}, call)
    return { body: response.customVariables.map(customVariableDto) }
  },
})
