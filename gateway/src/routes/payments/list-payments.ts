import { z } from 'zod'
import { endpoint } from '../../http/endpoint.ts'
import { flakeId } from '../../schemas/fields.ts'
import { paymentDto, paymentDtoSchema, paymentExample } from './payment-dto.ts'

export const listPayments = endpoint({
  operationId: 'Payments_ListPayments',
  tag: 'Payments',
  summary: 'List the payments of a checkout session',
  description: 'Returns all payments of a checkout session, oldest first.',
  method: 'get',
  path: '/v1/stores/{storeId}/payments',
  auth: 'api-key',
  scope: 'orders:read',
  query: z.object({ checkout_id: flakeId.meta({ description: 'Id of the checkout session.' }) }),
  success: {
    status: 200,
    description: 'The payments.',
    schema: z.array(paymentDtoSchema),
    example: [paymentExample],
  },
  async handle({ payments }, { query, call }) {
    const response = await payments.listPayments({ checkoutId: query.checkout_id }, call)
    return { body: response.payments.map(paymentDto) }
  },
})
