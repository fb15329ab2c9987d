import { z } from 'zod'
import { endpoint } from '../../http/endpoint.ts'
import { fails } from '../../schemas/fields.ts'
import { customerDto, customerDtoSchema, customerExample } from './customer-dto.ts'
import { customerInput, newCustomer, newCustomerExample } from './customer-input.ts'

const maxCustomers = 200

export const bulkCreateCustomers = endpoint({
  operationId: 'Customers_BulkCreateCustomers',
  tag: 'Customers',
  summary: 'Create up to 200 customers',
  description: 'All or none: one item that cannot be created refuses them all, and every such item is named.',
  method: 'post',
  path: '/v1/stores/{storeId}/customers/bulk',
  auth: 'api-key',
  scope: 'customers:write',
  // The number is looked at first, so that a list of half a million costs nothing.
  body: z
    .array(z.unknown())
    .refine((items) => items.length <= maxCustomers, fails('max', `must hold at most ${maxCustomers} customers`))
    .pipe(z.array(newCustomer))
    .meta({
      override: {
        type: 'array',
        maxItems: maxCustomers,
        items: { $ref: '#/components/schemas/UpsertCustomerRequestDto' },
      },
    }),
  bodyExample: [newCustomerExample],
  bodyLimitBytes: 1024 * 1024,
  success: {
    status: 200,
    description: 'The new customers, in the order of the request.',
    schema: z.array(customerDtoSchema),
    example: [customerExample],
  },
  async handle({ customers }, { body, call }) {
    const answer = await customers.bulkCreateCustomers({ customers: body.map(customerInput) }, call)
    return { body: answer.customers.map(customerDto) }
  },
})
