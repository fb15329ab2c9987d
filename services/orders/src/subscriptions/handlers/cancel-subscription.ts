import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import type { AppContext, SubscriptionHandlers } from '../../context.ts'
import { originOf } from '../../steps/origin.ts'
import { subscriptionToProto } from '../mappers.ts'
import { endAtProvider } from '../steps/end-subscription.ts'

export function cancelSubscription(ctx: AppContext): SubscriptionHandlers['cancelSubscription'] {
  return async ({ subscriptionId, now }, call) => {
    const key = { storeId: requireStore(call), id: requireFlakeId('subscription_id', subscriptionId) }
    const subscription = await endAtProvider(ctx, key, { now, reason: 'requested' }, originOf(call))
    return { subscription: subscriptionToProto(subscription) }
  }
}
