import { customerLimits } from '@storekeep/proto/conventions/limits'
import { customerDto, customerDtoSchema, customerExample } from '@storekeep/records/customers/customer-dto'
import { flakeId, text } from '@storekeep/records/schemas/fields'
import { z } from 'zod'
import { endpoint, pageReply } from '../../http/endpoint.ts'
import { pageQuery, pageRequest } from '../../schemas/page.ts'

const { idsPerFilter, searchLength } = customerLimits

export const listCustomers = endpoint({
  operationId: 'listCustomers',
  tag: 'Customers',
  summary: 'List customers',
  description: 'Returns customers page by page. All given filters must match.',
  method: 'get',
  path: '/v1/stores/{storeId}/customers',
  auth: 'api-key',
  scope: 'customers:read',
  query: z.object({
    search: text(0, searchLength)
      .optional()
      .meta({
        description:
          'Case-insensitive substring of the name or profile name, or an exact id, `steam_id`, `minecraft_uuid` or ' +
          '`xbox_xuid`.',
      }),
    customer_id: z
      .array(flakeId)
      .max(idsPerFilter)
      .optional()
      .meta({
        description: `Returns only these customers. Repeat the parameter for each, up to ${idsPerFilter} times.`,
      }),
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
    const response = await customers.listCustomers(request, call)
    return pageReply(query, response.customers.map(customerDto), response.page)
  },
})
