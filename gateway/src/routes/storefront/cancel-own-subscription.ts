import { endpoint } from '../../http/endpoint.ts'
import { subscriptionPath } from '../subscriptions/subscription-path.ts'
import { assertVerified, requireOwn, verifiedText } from './own-records.ts'
import { storefrontHeaders } from './storefront-headers.ts'

export const cancelOwnSubscription = endpoint({
  operationId: 'cancelOwnSubscription',
  tag: 'Storefront',
  summary: 'Cancel a subscription of the signed-in customer',
  description:
    'The subscription ends with its current period, or now if it is past due, as when the customer cancels it in the portal. Nothing ' +
    `is refunded. Returns 204 even if it was canceled before. ${verifiedText}`,
  method: 'delete',
  path: '/v1/store/customer/subscriptions/{subscriptionId}',
  auth: 'customer',
  headers: storefrontHeaders,
  params: subscriptionPath,
  success: { status: 204, description: 'The subscription does not renew any more.' },
  async handle({ subscriptions }, { customer, params, call }) {
    assertVerified(customer)
    const { subscriptionId } = params
    const { subscription } = await subscriptions.getSubscription({ subscriptionId }, call)
    requireOwn(subscription, customer, 'subscription')
    await subscriptions.cancelSubscription({ subscriptionId, now: false }, call)
    return {}
  },
})
