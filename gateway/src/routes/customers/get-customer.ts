import { customerDto, customerDtoSchema, customerExample } from '@storekeep/records/customers/customer-dto'
import { endpoint } from '../../http/endpoint.ts'
import { customerPath } from './customer-path.ts'

export const getCustomer = endpoint({
  operationId: 'getCustomer',
  tag: 'Customers',
  summary: 'Get a customer',
  description: 'Returns one customer by its id.',
  method: 'get',
  path: '/v1/stores/{storeId}/customers/{customerId}',
  auth: 'api-key',
  scope: 'customers:read',
  params: customerPath,
  success: { status: 200, description: 'The customer.', schema: customerDtoSchema, example: customerExample },
  async handle({ customers }, { params, call }) {
    const { customer } = await customers.getCustomer({ customerId: params.customerId }, call)
    return { body: customerDto(customer) }
  },
})
