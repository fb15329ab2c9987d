import { endpoint } from '../../http/endpoint.ts'
import { customVariablePath } from './custom-variable-path.ts'

export const deleteCustomVariable = endpoint({
  operationId: 'deleteCustomVariable',
  tag: 'Custom variables',
  summary: 'Delete a custom variable',
  description: 'Deletes the custom variable and its options. Products no longer ask for it.',
  method: 'delete',
  path: '/v1/stores/{storeId}/custom-variables/{customVariableId}',
  auth: 'api-key',
  scope: 'custom-variables:write',
  params: customVariablePath,
  success: { status: 204, description: 'The custom variable was deleted.' },
  async handle({ customVariables }, { params, call }) {
    await customVariables.deleteCustomVariable(params, call)
    return {}
  },
})
