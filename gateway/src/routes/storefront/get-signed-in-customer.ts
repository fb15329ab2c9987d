import { customerDto, customerDtoSchema, customerExample } from '@storekeep/records/customers/customer-dto'
import { endpoint } from '../../http/endpoint.ts'
import { storefrontHeaders } from './storefront-headers.ts'

export const getSignedInCustomer = endpoint({
  operationId: 'getSignedInCustomer',
  tag: 'Storefront',
  summary: 'Get the signed-in customer',
  description:
    'Returns the customer of the token. This is also the cheapest way to check whether a token is still valid. With a token of the ' +
    'sign-in by a typed name, `name` is null and `metadata` is empty: anyone can get such a token.',
  method: 'get',
  path: '/v1/store/customer',
  auth: 'customer',
  headers: storefrontHeaders,
  success: {
    status: 200,
    description: 'The customer of the token.',
    schema: customerDtoSchema,
    example: customerExample,
  },
  async handle(_ctx, { customer }) {
    return { body: customerDto(customer) }
  },
})
