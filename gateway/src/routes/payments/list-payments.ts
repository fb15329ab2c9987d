import { paymentStatus, paymentStatusValues } from '@storekeep/records/payments/payment-enums'
import { emailAddress, flakeId } from '@storekeep/records/schemas/fields'
import { z } from 'zod'
import { endpoint, pageReply } from '../../http/endpoint.ts'
import { pageQuery, pageRequest } from '../../schemas/page.ts'
import { paymentDto, paymentDtoSchema, paymentExample } from './payment-dto.ts'

export const listPayments = endpoint({
  operationId: 'listPayments',
  tag: 'Payments',
  summary: 'List payments',
  description:
    'Returns attempts to pay page by page, including those without an order. All given filters must match. Manual payments that ' +
    'wait for their money have the status `processing`.',
  method: 'get',
  path: '/v1/stores/{storeId}/payments',
  auth: 'api-key',
  scope: 'orders:read',
  query: z.object({
    checkout_id: flakeId.optional().meta({ description: 'Returns only payments of this checkout session.' }),
    status: paymentStatus.optional().meta({ description: 'Returns only payments in this state.' }),
    customer_id: flakeId.optional().meta({ description: 'Returns only payments of this customer.' }),
    billing_email: emailAddress
      .optional()
      .meta({ description: 'Returns only payments started with this email address. Case-insensitive.' }),
    ...pageQuery,
  }),
  success: {
    status: 200,
    description: 'One page of payments.',
    schema: z.array(paymentDtoSchema),
    example: [paymentExample],
  },
  async handle({ payments }, { query, call }) {
    const { checkout_id, status, customer_id, billing_email } = query
    const request = {
      page: pageRequest(query),
      ...(checkout_id && { checkoutId: checkout_id }),
      ...(status && { status: paymentStatusValues[status] }),
      ...(customer_id && { customerId: customer_id }),
      ...(billing_email && { billingEmail: billing_email }),
    }
    const response = await payments.listPayments(request, call)
    return pageReply(query, response.payments.map(paymentDto), response.page)
  },
})
