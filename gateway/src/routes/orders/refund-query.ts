import type { CallOptions } from '@storekeep/common/grpc'
import { present } from '@storekeep/common/message'
import { refundStatus, refundStatusValues } from '@storekeep/records/orders/order-enums'
import { refundDto } from '@storekeep/records/orders/refund-dto'
import { z } from 'zod'
import type { GatewayContext } from '../../context.ts'
import { pageReply } from '../../http/endpoint.ts'
import { pageQuery, pageRequest } from '../../schemas/page.ts'

export const refundQuery = z.object({
  status: refundStatus.optional().meta({ description: 'Returns only refunds in this state.' }),
  ...pageQuery,
})

/** One page of refunds. @param orderId the only order whose refunds are listed */
export async function listRefundPage(
  { orders }: GatewayContext,
  query: z.output<typeof refundQuery>,
  orderId: string | undefined,
  call: CallOptions,
) {
  const { status } = query
  const request = present({ page: pageRequest(query), status: status && refundStatusValues[status], orderId })
  const { refunds, page } = await orders.listRefunds(request, call)
  return pageReply(query, refunds.map(refundDto), page)
}
