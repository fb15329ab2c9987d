import { customerLimits } from '@storekeep/proto/conventions/limits'
import {
  type CustomerDto,
  customerDto,
  customerDtoSchema,
  customerExample,
} from '@storekeep/records/customers/customer-dto'
import { fails } from '@storekeep/records/schemas/fields'
import { z } from 'zod'
import { endpoint } from '../../http/endpoint.ts'
import { customerInput, newCustomer } from './customer-input.ts'

const maxCustomers = customerLimits.perBulkRequest

export const bulkCreateCustomers = endpoint({
  operationId: 'bulkCreateCustomers',
  tag: 'Customers',
  summary: 'Create customers in bulk',
  description:
    `Creates up to ${maxCustomers} customers, all or none. When any item is invalid, none is created and the error names ` +
    'every invalid item.',
  method: 'post',
  path: '/v1/stores/{storeId}/customers/bulk',
  auth: 'api-key',
  scope: 'customers:write',
  // The length is checked first, so that an oversized list is not validated item by item.
  body: z
    .array(z.unknown())
    .refine((items) => items.length <= maxCustomers, fails('max', `must have at most ${maxCustomers} items`))
    .pipe(z.array(newCustomer))
    .meta({
      override: {
        type: 'array',
        description: 'The customers to create.',
        maxItems: maxCustomers,
        items: { $ref: '#/components/schemas/UpsertCustomerRequestDto' },
      },
    }),
  // Names may repeat, so this example can be sent repeatedly, and after the example of a single customer.
  bodyExample: [{ name: 'Robin', metadata: { rank: 'vip' } }, { name: 'Sam' }],
  bodyLimitBytes: 1024 * 1024,
  success: {
    status: 200,
    description: 'The created customers, in the order of the request.',
    schema: z.array(customerDtoSchema),
    example: [namedExample('411486491630370818', 'Robin', { rank: 'vip' }), namedExample('411486491630370819', 'Sam')],
  },
  async handle({ customers }, { body, call }) {
    const response = await customers.bulkCreateCustomers({ customers: body.map(customerInput) }, call)
    return { body: response.customers.map(customerDto) }
  },
})

function namedExample(id: string, name: string, metadata: Record<string, string> = {}): CustomerDto {
  const profile = { id, platform: 'service', name, avatar_url: null, claimed: false } as const
  return { ...customerExample, id, profile, steam_id: null, steam: null, name, metadata }
}
