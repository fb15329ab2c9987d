import { z } from 'zod'
import { endpoint, pageReply } from '../../http/endpoint.ts'
import { pageQuery, pageRequest } from '../../schemas/page.ts'
import { ownOrderDto, ownOrderDtoSchema, ownOrderExample } from './own-order-dto.ts'
import { assertVerified, verifiedText } from './own-records.ts'
import { storefrontHeaders } from './storefront-headers.ts'

export const listOwnOrders = endpoint({
  operationId: 'listOwnOrders',
  tag: 'Storefront',
  summary: 'List the orders of the signed-in customer',
  description: `Returns what the customer of the token has bought, page by page. ${verifiedText}`,
  method: 'get',
  path: '/v1/store/customer/orders',
  auth: 'customer',
  headers: storefrontHeaders,
  query: z.object(pageQuery),
  success: {
    status: 200,
    description: 'One page of orders.',
    schema: z.array(ownOrderDtoSchema),
    example: [ownOrderExample],
  },
  async handle({ orders }, { customer, query, call }) {
    assertVerified(customer)
    const request = { page: pageRequest(query), customerId: customer.id }
    const response = await orders.listOrders(request, call)
    return pageReply(query, response.orders.map(ownOrderDto), response.page)
  },
})
