import {
  checkoutSessionDto,
  checkoutSessionDtoSchema,
  checkoutSessionExample,
} from '@storekeep/records/checkouts/checkout-session-dto'
import { checkoutStatus, checkoutStatusValues } from '@storekeep/records/checkouts/checkout-status'
import { flakeId } from '@storekeep/records/schemas/fields'
import { z } from 'zod'
import { endpoint, pageReply } from '../../http/endpoint.ts'
import { pageQuery, pageRequest } from '../../schemas/page.ts'

export const listCheckoutSessions = endpoint({
  operationId: 'listCheckoutSessions',
  tag: 'Checkouts',
  summary: 'List checkout sessions',
  description: 'Returns checkout sessions page by page, without their tokens.',
  method: 'get',
  path: '/v1/stores/{storeId}/checkouts',
  auth: 'api-key',
  scope: 'checkouts:read',
  query: z.object({
    status: checkoutStatus.optional().meta({ description: 'Returns only sessions in this state.' }),
    customer_id: flakeId.optional().meta({ description: 'Returns only sessions of this customer.' }),
    ...pageQuery,
  }),
  success: {
    status: 200,
    description: 'One page of checkout sessions.',
    schema: z.array(checkoutSessionDtoSchema),
    example: [checkoutSessionExample],
  },
  async handle({ checkout }, { query, call }) {
    const { status, customer_id } = query
    const request = {
      page: pageRequest(query),
      ...(status && { status: checkoutStatusValues[status] }),
      ...(customer_id && { customerId: customer_id }),
    }
    const response = await checkout.listCheckoutSessions(request, call)
    return pageReply(query, response.sessions.map(checkoutSessionDto), response.page)
  },
})
