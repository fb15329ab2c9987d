import type { TimelineEntry } from '@storekeep/proto/orders/v1/order'
import { timelineKind, timelineKindValues } from '@storekeep/records/orders/order-enums'
import { actorDto, actorDtoSchema, actorExample } from '@storekeep/records/schemas/actor'
import { nameOf } from '@storekeep/records/schemas/enums'
import { flakeId, int64 } from '@storekeep/records/schemas/fields'
import { dateTime, printTime } from '@storekeep/records/schemas/times'
import { z } from 'zod'
import { endpoint } from '../../http/endpoint.ts'
import { orderPath } from './order-path.ts'

const entrySchema = z
  .object({
    id: flakeId.describe('Id of the entry.'),
    kind: timelineKind.describe('What happened.'),
    payment_id: flakeId.nullable().describe('The payment.'),
    refund_id: flakeId.nullable().describe('The refund, for entries about one.'),
    amount: int64(0).nullable().describe('Amount of the payment, refund or dispute.'),
    actor: actorDtoSchema.describe('Who did it; `internal` for Storekeep and the payment provider.'),
    created_at: dateTime.describe('When it happened.'),
  })
  .meta({ id: 'OrderTimelineEntryDto', description: 'Something that happened to an order.' })

export const listTimeline = endpoint({
  operationId: 'listOrderTimeline',
  tag: 'Orders',
  summary: 'Get the timeline of an order',
  description: 'Returns everything that happened to an order, oldest first.',
  method: 'get',
  path: '/v1/stores/{storeId}/orders/{orderId}/timeline',
  auth: 'api-key',
  scope: 'orders:read',
  params: orderPath,
  success: {
    status: 200,
    description: 'The entries.',
    schema: z.array(entrySchema),
    example: [
      {
        id: '411486491630370890',
        kind: 'refund_requested' as const,
        payment_id: '411486491630370870',
        refund_id: '411486491630370880',
        amount: 989,
        actor: actorExample,
        created_at: '2026-11-20T14:35:17.000Z',
      },
    ],
  },
  async handle({ orders }, { params, call }) {
    const { entries } = await orders.listTimeline({ orderId: params.orderId }, call)
    return { body: entries.map(entryDto) }
  },
})

function entryDto({
  id,
  kind,
  paymentId,
  refundId,
  amount,
  actor,
  createdAt,
}: TimelineEntry): z.input<typeof entrySchema> {
  if (!createdAt) throw new Error('A service returned an entry without created_at.')
  return {
    id,
    kind: nameOf(timelineKindValues, kind),
    payment_id: paymentId ?? null,
    refund_id: refundId ?? null,
    amount: amount === undefined ? null : Number(amount),
    actor: actorDto(actor),
    created_at: printTime(createdAt),
  }
}
