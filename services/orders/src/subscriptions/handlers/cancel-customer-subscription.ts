import type { AppContext, SubscriptionHandlers } from '../../context.ts'
import { subscriptionToProto } from '../mappers.ts'
import { cancelSubscription } from '../steps/cancel-subscription.ts'
import { findOfPortal } from '../steps/find-own-subscription.ts'

export function cancelCustomerSubscription(ctx: AppContext): SubscriptionHandlers['cancelCustomerSubscription'] {
  return async (request, call) => {
    const { subscription, origin } = await findOfPortal(ctx, call, request)
    const after = await cancelSubscription(ctx, subscription, { now: false, reason: 'requested' }, origin)
    return { subscription: subscriptionToProto(after) }
  }
}
