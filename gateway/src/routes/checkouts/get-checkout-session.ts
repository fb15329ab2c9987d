import {
  checkoutSessionDto,
  checkoutSessionDtoSchema,
  checkoutSessionExample,
} from '@storekeep/records/checkouts/checkout-session-dto'
import { endpoint } from '../../http/endpoint.ts'
import { checkoutPath } from './checkout-path.ts'

export const getCheckoutSession = endpoint({
  operationId: 'getCheckoutSession',
  tag: 'Checkouts',
  summary: 'Get a checkout session',
  description: 'Returns one checkout session by its id, without its token.',
  method: 'get',
  path: '/v1/stores/{storeId}/checkouts/{checkoutId}',
  auth: 'api-key',
  scope: 'checkouts:read',
  params: checkoutPath,
  success: {
    status: 200,
    description: 'The checkout session.',
    schema: checkoutSessionDtoSchema,
    example: checkoutSessionExample,
  },
  async handle({ checkout }, { params, call }) {
    const { session } = await checkout.getCheckoutSession({ checkoutId: params.checkoutId }, call)
    return { body: checkoutSessionDto(session) }
  },
})
