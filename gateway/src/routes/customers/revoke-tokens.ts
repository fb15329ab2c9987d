import { endpoint } from '../../http/endpoint.ts'
import { customerPath } from './customer-path.ts'

export const revokeTokens = endpoint({
  operationId: 'Customers_RevokeTokens',
  tag: 'Customers',
  summary: 'Sign a customer out everywhere',
  description: 'From the moment of the answer no token made before is accepted. 204 even when there was none.',
  method: 'delete',
  path: '/v1/stores/{storeId}/customers/{customerId}/tokens',
  auth: 'api-key',
  scope: 'customers:write',
  params: customerPath,
  success: { status: 204, description: 'All tokens of the customer are invalid.' },
  async handle({ customers }, { params, call }) {
    await customers.revokeTokens({ customerId: params.customerId }, call)
    return {}
  },
})
