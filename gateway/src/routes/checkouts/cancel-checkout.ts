import {
  checkoutSessionDto,
  checkoutSessionDtoSchema,
  checkoutSessionExample,
} from '@storekeep/records/checkouts/checkout-session-dto'
import { endpoint } from '../../http/endpoint.ts'
import { checkoutPath } from './checkout-path.ts'

export const cancelCheckout = endpoint({
  operationId: 'cancelCheckout',
  tag: 'Checkouts',
  summary: 'Cancel a checkout session',
  description:
    'Ends an open session: it can no longer be paid, and what it has reserved becomes available. A payment that arrives later ' +
    'is refunded. Repeating the call changes nothing; a session that has ended in another way is a conflict.',
  method: 'post',
  path: '/v1/stores/{storeId}/checkouts/{checkoutId}/cancel',
  auth: 'api-key',
  scope: 'checkouts:write',
  params: checkoutPath,
  success: {
    status: 200,
    description: 'The canceled session.',
    schema: checkoutSessionDtoSchema,
    example: { ...checkoutSessionExample, status: 'canceled', canceled_at: '2026-11-20T14:40:02.000Z' },
  },
  errors: ['conflict'],
  async handle({ checkout }, { params, call }) {
    const { session } = await checkout.cancelCheckoutSession({ checkoutId: params.checkoutId }, call)
    return { body: checkoutSessionDto(session) }
  },
})
