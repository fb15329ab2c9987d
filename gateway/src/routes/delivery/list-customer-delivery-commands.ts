import {
  commandAttemptDto,
  commandAttemptDtoSchema,
  commandAttemptExample,
} from '@storekeep/records/delivery/command-attempt-dto'
import { z } from 'zod'
import { endpoint, pageReply } from '../../http/endpoint.ts'
import { pageQuery, pageRequest } from '../../schemas/page.ts'
import { customerOfItems } from './delivery-path.ts'

export const listCustomerDeliveryCommands = endpoint({
  operationId: 'listCustomerDeliveryCommands',
  tag: 'Delivery',
  summary: 'List the commands of a customer',
  description:
    'Returns the commands that were queued for a customer page by page, including executed and unqueued ones.',
  method: 'get',
  path: '/v1/stores/{storeId}/customers/{customerId}/delivery/commands',
  auth: 'api-key',
  scope: 'delivery:read',
  params: customerOfItems,
  query: z.object(pageQuery),
  success: {
    status: 200,
    description: 'One page of commands.',
    schema: z.array(commandAttemptDtoSchema),
    example: [commandAttemptExample],
  },
  async handle({ customers, deliveryItems }, { params, query, call }) {
    const request = { page: pageRequest(query), customerId: params.customerId }
    const [{ attempts, page }] = await Promise.all([
      deliveryItems.listCommandAttempts(request, call),
      // The delivery service cannot tell an unknown customer from one without commands.
      customers.getCustomer(params, call),
    ])
    return pageReply(query, attempts.map(commandAttemptDto), page)
  },
})
