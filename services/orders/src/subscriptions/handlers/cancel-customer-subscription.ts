import type { AppContext, SubscriptionHandlers } from '../../context.ts'
import { subscriptionToProto } from '../mappers.ts'
import { endAtProvider } from '../steps/end-subscription.ts'
import { findPortalSubscription } from '../steps/find-own-subscription.ts'

export function cancelCustomerSubscription(ctx: AppContext): SubscriptionHandlers['cancelCustomerSubscription'] {
  return async (request, call) => {
    const { subscription, origin } = await findPortalSubscription(ctx, call, request)
    const after = await endAtProvider(ctx, subscription, { now: false, reason: 'requested' }, origin)
    return { subscription: subscriptionToProto(after) }
  }
}
