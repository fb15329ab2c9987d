import { refundLimits } from '@storekeep/proto/conventions/limits'
import { refundDto, refundDtoSchema, refundExample, refundLineSchema } from '@storekeep/records/orders/refund-dto'
import { int64, text } from '@storekeep/records/schemas/fields'
import { z } from 'zod'
import { endpoint } from '../../http/endpoint.ts'
import { orderPath } from './order-path.ts'

const newRefund = z
  .object({
    amount: int64(1).nullish().describe('Amount to refund. Omit it and `lines` to refund the whole remaining amount.'),
    lines: z
      .array(refundLineSchema)
      .max(100)
      .nullish()
      .describe('Units to refund, at their share of the amount paid. Cannot be combined with `amount`.'),
    reason: text(0, refundLimits.reasonLength).nullish().describe('Internal reason, for your staff.'),
  })
  .meta({
    id: 'CreateRefundDto',
    description: 'A refund of an order: the whole remaining amount, an amount, or units of lines.',
  })

export const createRefund = endpoint({
  operationId: 'createRefund',
  tag: 'Orders',
  summary: 'Create a refund of an order',
  description:
    'Returns money to the payer. All refunds of an order together never exceed the amount paid, and an order has at most ' +
    `${refundLimits.perOrder} of them. A \`pending\` refund is retried ` +
    'until the payment provider makes or rejects it. For a manual payment, return the money yourself.',
  method: 'post',
  path: '/v1/stores/{storeId}/orders/{orderId}/refunds',
  auth: 'api-key',
  scope: 'orders:write',
  params: orderPath,
  body: newRefund,
  bodyExample: { amount: 50, reason: 'The server was down.' },
  success: { status: 200, description: 'The refund.', schema: refundDtoSchema, example: refundExample },
  async handle({ orders }, { params, body, call }) {
    const { amount, lines, reason } = body
    const request = {
      orderId: params.orderId,
      lines: lines ?? [],
      ...(amount != null && { amount: BigInt(amount) }),
      ...(reason != null && { reason }),
    }
    const { refund } = await orders.createRefund(request, call)
    return { body: refundDto(refund) }
  },
})
