import { customerDto, customerDtoSchema, customerExample } from '@storekeep/records/customers/customer-dto'
import { endpoint } from '../../http/endpoint.ts'
import { customerInput, newCustomer, newCustomerExample } from './customer-input.ts'

export const createCustomer = endpoint({
  operationId: 'createCustomer',
  tag: 'Customers',
  summary: 'Create a customer',
  description:
    'Returns `conflict` when another customer of the store has the same `steam_id`, `minecraft_uuid` or `xbox_xuid`. Names ' +
    'may repeat.',
  method: 'post',
  path: '/v1/stores/{storeId}/customers',
  auth: 'api-key',
  scope: 'customers:write',
  body: newCustomer,
  bodyExample: newCustomerExample,
  success: { status: 200, description: 'The created customer.', schema: customerDtoSchema, example: customerExample },
  async handle({ customers }, { body, call }) {
    const { customer } = await customers.createCustomer({ customer: customerInput(body) }, call)
    return { body: customerDto(customer) }
  },
})
