import type { AppContext, SubscriptionHandlers } from '../../context.ts'
import { subscriptionToProto } from '../mappers.ts'
import { findPortalSubscription } from '../steps/find-own-subscription.ts'

export function getCustomerSubscription(ctx: AppContext): SubscriptionHandlers['getCustomerSubscription'] {
  return async (request, call) => {
    const { subscription } = await findPortalSubscription(ctx, call, request)
    return { subscription: subscriptionToProto(subscription) }
  }
}
