import { emailDto, emailDtoSchema, emailExample } from '@storekeep/records/emails/email-dto'
import { z } from 'zod'
import { endpoint, pageReply } from '../../http/endpoint.ts'
import { pageQuery, pageRequest } from '../../schemas/page.ts'
import { orderPath } from '../orders/order-path.ts'

export const listOrderEmails = endpoint({
  operationId: 'listOrderEmails',
  tag: 'Orders',
  summary: 'List the emails of an order',
  description:
    'Returns the emails that customers received, or will receive, about an order, page by page. Empty if the installation sends no emails.',
  method: 'get',
  path: '/v1/stores/{storeId}/orders/{orderId}/emails',
  auth: 'api-key',
  scope: 'orders:read',
  params: orderPath,
  query: z.object(pageQuery),
  success: {
    status: 200,
    description: 'One page of emails.',
    schema: z.array(emailDtoSchema),
    example: [emailExample],
  },
  async handle({ emails, orders }, { params, query, call }) {
    // The emails service does not own orders, so it cannot tell an unknown one from one without emails.
    const [response] = await Promise.all([
      emails.listEmails({ orderId: params.orderId, page: pageRequest(query) }, call),
      orders.getOrder(params, call),
    ])
    return pageReply(query, response.emails.map(emailDto), response.page)
  },
})
