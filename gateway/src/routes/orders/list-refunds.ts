import { refundDtoSchema, refundExample } from '@storekeep/records/orders/refund-dto'
import { flakeId } from '@storekeep/records/schemas/fields'
import { z } from 'zod'
import { endpoint } from '../../http/endpoint.ts'
import { listRefundPage, refundQuery } from './refund-query.ts'

export const listRefunds = endpoint({
  operationId: 'listRefunds',
  tag: 'Refunds',
  summary: 'List refunds',
  description:
    'Returns refunds page by page. Refunds of payments that completed no order have no order. All given ' +
    'filters must match.',
  method: 'get',
  path: '/v1/stores/{storeId}/refunds',
  auth: 'api-key',
  scope: 'orders:read',
  query: refundQuery.extend({
    order_id: flakeId.optional().meta({ description: 'Returns only refunds of this order.' }),
  }),
  success: {
    status: 200,
    description: 'One page of refunds.',
    schema: z.array(refundDtoSchema),
    example: [refundExample],
  },
  handle: (ctx, { query, call }) => listRefundPage(ctx, query, query.order_id, call),
})
