import { flakeId } from '@storekeep/records/schemas/fields'
import {
  subscriptionDto,
  subscriptionDtoSchema,
  subscriptionExample,
} from '@storekeep/records/subscriptions/subscription-dto'
import { subscriptionStatus, subscriptionStatusValues } from '@storekeep/records/subscriptions/subscription-enums'
import { z } from 'zod'
import { endpoint, pageReply } from '../../http/endpoint.ts'
import { pageQuery, pageRequest } from '../../schemas/page.ts'

export const listSubscriptions = endpoint({
  operationId: 'listSubscriptions',
  tag: 'Subscriptions',
  summary: 'List subscriptions',
  description: 'Returns subscriptions page by page. All given filters must match.',
  method: 'get',
  path: '/v1/stores/{storeId}/subscriptions',
  auth: 'api-key',
  scope: 'orders:read',
  query: z.object({
    status: subscriptionStatus.optional().meta({ description: 'Returns only subscriptions in this state.' }),
    customer_id: flakeId.optional().meta({ description: 'Returns only subscriptions of this customer.' }),
    ...pageQuery,
  }),
  success: {
    status: 200,
    description: 'One page of subscriptions.',
    schema: z.array(subscriptionDtoSchema),
    example: [subscriptionExample],
  },
  async handle({ subscriptions }, { query, call }) {
    const { status, customer_id } = query
    const request = {
      page: pageRequest(query),
      ...(status && { status: subscriptionStatusValues[status] }),
      ...(customer_id && { customerId: customer_id }),
    }
    const response = await subscriptions.listSubscriptions(request, call)
    return pageReply(query, response.subscriptions.map(subscriptionDto), response.page)
  },
})
