import { z } from 'zod'
import { endpoint, pageReply } from '../../http/endpoint.ts'
import { flakeId, text } from '../../schemas/fields.ts'
import { pageQuery, pageRequest } from '../../schemas/page.ts'
import { customerDto, customerDtoSchema, customerExample } from './customer-dto.ts'

export const listCustomers = endpoint({
  operationId: 'Customers_ListCustomers',
  tag: 'Customers',
  summary: 'List customers',
  method: 'get',
  path: '/v1/stores/{storeId}/customers',
  auth: 'api-key',
  scope: 'customers:read',
  query: z.object({
    search: text(0, 256).optional().meta({
      description:
        'Part of a name or profile name in any case, or exactly an id, steam_id, minecraft_uuid or xbox_xuid.',
    }),
    customer_id: z
      .array(flakeId)
      .max(100)
      .optional()
      .meta({ description: 'Only these customers; repeat it for each.' }),
    ...pageQuery,
  }),
  success: {
    status: 200,
    description: 'One page of customers.',
    schema: z.array(customerDtoSchema),
    example: [customerExample],
  },
  async handle({ customers }, { query, call }) {
    const { search, customer_id: customerIds = [] } = query
    const request = { page: pageRequest(query), customerIds, ...(search && { search }) }
    const answer = await customers.listCustomers(request, call)
    return pageReply(query, answer.customers.map(customerDto), answer.page)
  },
})
