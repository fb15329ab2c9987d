import {
  subscriptionDto,
  subscriptionDtoSchema,
  subscriptionExample,
} from '@storekeep/records/subscriptions/subscription-dto'
import { endpoint } from '../../http/endpoint.ts'
import { subscriptionPath } from './subscription-path.ts'

export const getSubscription = endpoint({
  operationId: 'getSubscription',
  tag: 'Subscriptions',
  summary: 'Get a subscription',
  description: 'Returns one subscription by its id. Its orders are listed by `GET …/orders?subscription_id=…`.',
  method: 'get',
  path: '/v1/stores/{storeId}/subscriptions/{subscriptionId}',
  auth: 'api-key',
  scope: 'orders:read',
  params: subscriptionPath,
  success: {
    status: 200,
    description: 'The subscription.',
    schema: subscriptionDtoSchema,
    example: subscriptionExample,
  },
  async handle({ subscriptions }, { params, call }) {
    const { subscription } = await subscriptions.getSubscription({ subscriptionId: params.subscriptionId }, call)
    return { body: subscriptionDto(subscription) }
  },
})
