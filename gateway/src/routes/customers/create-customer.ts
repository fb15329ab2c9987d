import { endpoint } from '../../http/endpoint.ts'
import { customerDto, customerDtoSchema, customerExample } from './customer-dto.ts'
import { customerInput, newCustomer, newCustomerExample } from './customer-input.ts'

export const createCustomer = endpoint({
  operationId: 'Customers_CreateCustomer',
  tag: 'Customers',
  summary: 'Create a customer',
  description: 'Each of steam_id, minecraft_uuid and xbox_xuid is unique in the store; names may repeat.',
  method: 'post',
  path: '/v1/stores/{storeId}/customers',
  auth: 'api-key',
  scope: 'customers:write',
  body: newCustomer,
  bodyExample: newCustomerExample,
  success: { status: 200, description: 'The new customer.', schema: customerDtoSchema, example: customerExample },
  async handle({ customers }, { body, call }) {
    const { customer } = await customers.createCustomer({ customer: customerInput(body) }, call)
    return { body: customerDto(customer) }
  },
})
