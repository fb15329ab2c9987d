import { z } from 'zod'
import { endpoint } from '../../http/endpoint.ts'
import { customerPath } from './customer-path.ts'

export const mintToken = endpoint({
  operationId: 'Customers_MintToken',
  tag: 'Customers',
  summary: 'Make a customer token',
  description:
    'The token acts as the customer on the storefront for 30 days. Only make one for somebody whose identity was verified.',
  method: 'post',
  path: '/v1/stores/{storeId}/customers/{customerId}/tokens',
  auth: 'api-key',
  scope: 'customers:write',
  params: customerPath,
  success: {
    status: 200,
    description: 'The token. It is a secret, and it is not shown again.',
    schema: z.object({ token: z.string() }).meta({ id: 'CustomerTokenResponseDto' }),
    example: { token: 'skcus_…' },
  },
  async handle({ customers }, { params, call }) {
    const { token } = await customers.mintToken({ customerId: params.customerId }, call)
    return { body: { token } }
  },
})
