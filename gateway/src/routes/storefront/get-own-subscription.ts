import { endpoint } from '../../http/endpoint.ts'
import { subscriptionPath } from '../subscriptions/subscription-path.ts'
import { assertVerified, requireOwn, verifiedText } from './own-records.ts'
import { ownSubscriptionDto, ownSubscriptionDtoSchema, ownSubscriptionExample } from './own-subscription-dto.ts'
import { storefrontHeaders } from './storefront-headers.ts'

export const getOwnSubscription = endpoint({
  operationId: 'getOwnSubscription',
  tag: 'Storefront',
  summary: 'Get a subscription of the signed-in customer',
  description: `Returns one subscription of the customer of the token by its id. ${verifiedText}`,
  method: 'get',
  path: '/v1/store/customer/subscriptions/{subscriptionId}',
  auth: 'customer',
  headers: storefrontHeaders,
  params: subscriptionPath,
  success: {
    status: 200,
    description: 'The subscription.',
    schema: ownSubscriptionDtoSchema,
    example: ownSubscriptionExample,
  },
  async handle({ subscriptions }, { customer, params, call }) {
    assertVerified(customer)
    const { subscription } = await subscriptions.getSubscription({ subscriptionId: params.subscriptionId }, call)
    return { body: ownSubscriptionDto(requireOwn(subscription, customer, 'subscription')) }
  },
})
