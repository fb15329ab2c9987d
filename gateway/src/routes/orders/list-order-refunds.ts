import { refundDtoSchema, refundExample } from '@storekeep/records/orders/refund-dto'
import { z } from 'zod'
import { endpoint } from '../../http/endpoint.ts'
import { orderPath } from './order-path.ts'
import { listRefundPage, refundQuery } from './refund-query.ts'

export const listOrderRefunds = endpoint({
  operationId: 'listOrderRefunds',
  tag: 'Orders',
  summary: 'List the refunds of an order',
  description: 'Returns the refunds of one order page by page, failed ones included.',
  method: 'get',
  path: '/v1/stores/{storeId}/orders/{orderId}/refunds',
  auth: 'api-key',
  scope: 'orders:read',
  params: orderPath,
  query: refundQuery,
  success: {
    status: 200,
    description: 'One page of refunds.',
    schema: z.array(refundDtoSchema),
    example: [refundExample],
  },
  async handle(ctx, { params: { orderId }, query, call }) {
    // An order without refunds and an unknown order have the same list.
    const [refunds] = await Promise.all([
      listRefundPage(ctx, query, orderId, call),
      ctx.orders.getOrder({ orderId }, call),
    ])
    return refunds
  },
})
