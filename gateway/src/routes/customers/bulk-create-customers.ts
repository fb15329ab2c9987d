import { z } from 'zod'
import { endpoint } from '../../http/endpoint.ts'
import { fails } from '../../schemas/fields.ts'
import { type CustomerDto, customerDto, customerDtoSchema, customerExample } from './customer-dto.ts'
import { customerInput, newCustomer } from './customer-input.ts'

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
  // By names, which may repeat: the example can be sent after that of a single customer, and again.
  bodyExample: [{ name: 'Robin', metadata: { rank: 'vip' } }, { name: 'Sam' }],
  bodyLimitBytes: 1024 * 1024,
  success: {
    status: 200,
    description: 'The new customers, in the order of the request.',
    schema: z.array(customerDtoSchema),
    example: [namedExample('411486491630370818', 'Robin', { rank: 'vip' }), namedExample('411486491630370819', 'Sam')],
  },
  async handle({ customers }, { body, call }) {
    const answer = await customers.bulkCreateCustomers({ customers: body.map(customerInput) }, call)
    return { body: answer.customers.map(customerDto) }
  },
})

function namedExample(id: string, name: string, metadata: Record<string, string> = {}): CustomerDto {
  const profile = { id, platform: 'service', name, avatar_url: null } as const
  return { ...customerExample, id, profile, steam_id: null, steam: null, name, metadata }
}
