import {
  subscriptionDto,
  subscriptionDtoSchema,
  subscriptionExample,
} from '@storekeep/records/subscriptions/subscription-dto'
import { z } from 'zod'
import { endpoint } from '../../http/endpoint.ts'
import { subscriptionPath } from './subscription-path.ts'

const cancellation = z
  .object({
    now: z
      .boolean()
      .nullish()
      .describe('Ends the subscription now. Otherwise it ends with its current period, or now if it is past due.'),
  })
  .meta({ id: 'CancelSubscriptionDto', description: 'When a subscription ends.' })

export const cancelSubscription = endpoint({
  operationId: 'cancelSubscription',
  tag: 'Subscriptions',
  summary: 'Cancel a subscription',
  description:
    'Ends a subscription, also at its payment provider. Nothing is refunded; to refund the current period, refund its ' +
    'order. Repeating the call changes nothing.',
  method: 'post',
  path: '/v1/stores/{storeId}/subscriptions/{subscriptionId}/cancel',
  auth: 'api-key',
  scope: 'orders:write',
  params: subscriptionPath,
  body: cancellation,
  bodyExample: { now: false },
  success: {
    status: 200,
    description: 'The subscription.',
    schema: subscriptionDtoSchema,
    example: { ...subscriptionExample, cancel_at_period_end: true, cancellation_reason: 'requested' },
  },
  async handle({ subscriptions }, { params, body, call }) {
    const request = { subscriptionId: params.subscriptionId, now: body.now ?? false }
    const { subscription } = await subscriptions.cancelSubscription(request, call)
    return { body: subscriptionDto(subscription) }
  },
})
