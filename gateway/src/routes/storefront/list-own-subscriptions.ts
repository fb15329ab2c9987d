import { z } from 'zod'
import { endpoint, pageReply } from '../../http/endpoint.ts'
import { pageQuery, pageRequest } from '../../schemas/page.ts'
import { assertVerified, verifiedText } from './own-records.ts'
import { ownSubscriptionDto, ownSubscriptionDtoSchema, ownSubscriptionExample } from './own-subscription-dto.ts'
import { storefrontHeaders } from './storefront-headers.ts'

export const listOwnSubscriptions = endpoint({
  operationId: 'listOwnSubscriptions',
  tag: 'Storefront',
  summary: 'List the subscriptions of the signed-in customer',
  description: `Returns the subscriptions of the customer of the token, page by page, including ended ones. ${verifiedText}`,
  method: 'get',
  path: '/v1/store/customer/subscriptions',
  auth: 'customer',
  headers: storefrontHeaders,
  query: z.object(pageQuery),
  success: {
    status: 200,
    description: 'One page of subscriptions.',
    schema: z.array(ownSubscriptionDtoSchema),
    example: [ownSubscriptionExample],
  },
  async handle({ subscriptions }, { customer, query, call }) {
    assertVerified(customer)
    const request = { page: pageRequest(query), customerId: customer.id }
    const response = await subscriptions.listSubscriptions(request, call)
    return pageReply(query, response.subscriptions.map(ownSubscriptionDto), response.page)
  },
})
