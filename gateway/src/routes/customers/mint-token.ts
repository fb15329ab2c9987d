import { z } from 'zod'
import { endpoint } from '../../http/endpoint.ts'
import { customerPath } from './customer-path.ts'

export const mintToken = endpoint({
  operationId: 'mintCustomerToken',
  tag: 'Customers',
  summary: 'Create a customer token',
  description:
    'The token authenticates the customer on the storefront for 30 days. Create one only after you verified the identity ' +
    'of the customer.',
  method: 'post',
  path: '/v1/stores/{storeId}/customers/{customerId}/tokens',
  auth: 'api-key',
  scope: 'customers:write',
  params: customerPath,
  success: {
    status: 200,
    description: 'The created token. It is a secret and is not returned again.',
    schema: z
      .object({ token: z.string().describe('Secret token for the `Authorization: Customer <token>` header.') })
      .meta({ id: 'CustomerTokenResponseDto', description: 'A token of the customer.' }),
    example: { token: 'skcus_…' },
  },
  async handle({ customers, failedTokens }, { params, call }) {
    const { token } = await customers.mintToken({ customerId: params.customerId }, call)
    failedTokens.recordSuccess(token)
    return { body: { token } }
  },
})
