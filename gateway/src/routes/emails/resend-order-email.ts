import { emailDto, emailDtoSchema, emailExample } from '@storekeep/records/emails/email-dto'
import { flakeId } from '@storekeep/records/schemas/fields'
import { endpoint } from '../../http/endpoint.ts'
import { orderPath } from '../orders/order-path.ts'

export const resendOrderEmail = endpoint({
  operationId: 'resendOrderEmail',
  tag: 'Orders',
  summary: 'Resend an email of an order',
  description:
    'Sends the email again, as a new email to the address of the order. It shows the order as it is now. 409 while the email is still ' +
    'pending, and if the installation sends no emails.',
  method: 'post',
  path: '/v1/stores/{storeId}/orders/{orderId}/emails/{emailId}/resend',
  auth: 'api-key',
  scope: 'orders:write',
  params: orderPath.extend({ emailId: flakeId.describe('Id of the email.') }),
  errors: ['conflict'],
  success: {
    status: 200,
    description: 'The new email.',
    schema: emailDtoSchema,
    example: {
      ...emailExample,
      id: '411486491630370961',
      status: 'pending',
      recipient: null,
      locale: null,
      attempts: 0,
      next_attempt_at: emailExample.created_at,
      resend_of: emailExample.id,
      ended_at: null,
    },
  },
  async handle({ emails }, { params, call }) {
    const { email } = await emails.resendEmail(params, call)
    return { body: emailDto(email) }
  },
})
