import type { AppContext, SubscriptionHandlers } from '../../context.ts'
import { originOf } from '../../steps/origin.ts'
import { subscriptionToProto } from '../mappers.ts'
import { cancelSubscription } from '../steps/cancel-subscription.ts'
import { findOfCustomer } from '../steps/find-of-customer.ts'

export function cancelCustomerSubscription(ctx: AppContext): SubscriptionHandlers['cancelCustomerSubscription'] {
  return async (request, call) => {
    const found = await findOfCustomer(ctx, call, request)
    const subscription = await cancelSubscription(ctx, found, { now: false, reason: 'requested' }, originOf(call))
    return { subscription: subscriptionToProto(subscription) }
  }
}
