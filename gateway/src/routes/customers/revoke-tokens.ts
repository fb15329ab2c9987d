import { endpoint } from '../../http/endpoint.ts'
import { customerPath } from './customer-path.ts'

export const revokeTokens = endpoint({
  operationId: 'revokeCustomerTokens',
  tag: 'Customers',
  summary: 'Revoke all tokens of a customer',
  description:
    'Signs the customer out everywhere. Once this call returns, no token and no portal session created earlier is ' +
    'accepted. Returns 204 even if there were none.',
  method: 'delete',
  path: '/v1/stores/{storeId}/customers/{customerId}/tokens',
  auth: 'api-key',
  scope: 'customers:write',
  params: customerPath,
  success: { status: 204, description: 'All tokens of the customer were revoked.' },
  async handle({ customers }, { params, call }) {
    await customers.revokeTokens({ customerId: params.customerId }, call)
    return {}
  },
})
