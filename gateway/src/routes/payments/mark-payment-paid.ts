import { flakeId } from '@storekeep/records/schemas/fields'
import { z } from 'zod'
import { endpoint } from '../../http/endpoint.ts'
import { paymentDto, paymentDtoSchema, paymentExample } from './payment-dto.ts'

export const markPaymentPaid = endpoint({
  operationId: 'markPaymentPaid',
  tag: 'Payments',
  summary: 'Mark a manual payment as paid',
  description:
    'Call this when you have received the money of a manual payment. Completes the checkout session and creates the order. ' +
    'If the session has expired, been canceled or been paid by another payment, which cancels the manual payment, the money is ' +
    'recorded and `settlement` becomes `refunded`: return the money to the payer. Repeating the call changes nothing.',
  method: 'post',
  path: '/v1/stores/{storeId}/payments/{paymentId}/mark-paid',
  auth: 'api-key',
  scope: 'orders:write',
  params: z.object({ paymentId: flakeId.describe('Id of the payment.') }),
  success: {
    status: 200,
    description: 'The payment.',
    schema: paymentDtoSchema,
    example: {
      ...paymentExample,
      status: 'succeeded',
      settlement: 'completed',
      order_id: '411486491630370860',
      succeeded_at: '2026-11-20T14:40:02.000Z',
    },
  },
  async handle({ payments }, { params, call }) {
    const { payment } = await payments.markPaymentPaid({ paymentId: params.paymentId }, call)
    return { body: paymentDto(payment) }
  },
})
