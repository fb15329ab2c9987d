import type { Refund } from '@storekeep/proto/orders/v1/order'
import { z } from 'zod'
import { actorDto } from '../schemas/actor.ts'
import { nameOf } from '../schemas/enums.ts'
import { flakeId, int32, int64 } from '../schemas/fields.ts'
import { auditExample, auditFields, idFields } from '../schemas/record.ts'
import { printTime } from '../schemas/times.ts'
import { refundStatus, refundStatusValues } from './order-enums.ts'

export const refundLineSchema = z
  .object({
    position: int32(1).describe('Position of the line in the order, starting at 1.'),
    quantity: int32(1).describe('Number of units.'),
  })
  .meta({ id: 'RefundLineDto', description: 'Units of one line of an order.' })

export const refundDtoSchema = z
  .object({
    ...idFields('refund'),
    payment_id: flakeId.describe('The payment whose money is returned.'),
    order_id: flakeId.nullable().describe('The order.'),
    amount: int64(0).describe('Refunded amount.'),
    net_amount: int64(0).nullable().describe('The amount without tax; null for an order without tax.'),
    tax_amount: int64(0).nullable().describe('Tax in the amount; null for an order without tax.'),
    lines: z.array(refundLineSchema).describe('The units that are refunded; empty for a refund by amount.'),
    reason: z.string().nullable().describe('Internal reason, for your staff.'),
    status: refundStatus.describe('State of the refund.'),
    failure_reason: z.string().nullable().describe('Why the refund failed, as reported by the provider.'),
    created_by: auditFields.created_by,
    created_at: auditFields.created_at,
  })
  .meta({ id: 'RefundDto', description: 'Money returned to the payer of an order.' })

export type RefundDto = z.input<typeof refundDtoSchema>

export function refundDto(refund: Refund | undefined): RefundDto {
  if (!refund?.createdAt) throw new Error('A service returned no refund.')
  return {
    id: refund.id,
    store_id: refund.storeId,
    payment_id: refund.paymentId,
    order_id: refund.orderId ?? null,
    amount: Number(refund.amount),
    net_amount: refund.netAmount === undefined ? null : Number(refund.netAmount),
    tax_amount: refund.taxAmount === undefined ? null : Number(refund.taxAmount),
    lines: refund.lines.map(({ position, quantity }) => ({ position, quantity })),
    reason: refund.reason ?? null,
    status: nameOf(refundStatusValues, refund.status),
    failure_reason: refund.failureReason ?? null,
    created_by: actorDto(refund.createdBy),
    created_at: printTime(refund.createdAt),
  }
}

export const refundExample: RefundDto = {
  id: '411486491630370880',
  store_id: '411486491596816384',
  payment_id: '411486491630370870',
  order_id: '411486491630370860',
  amount: 989,
  net_amount: 831,
  tax_amount: 158,
  lines: [{ position: 1, quantity: 1 }],
  reason: 'The server was down.',
  status: 'succeeded',
  failure_reason: null,
  created_by: auditExample.created_by,
  created_at: auditExample.created_at,
}
