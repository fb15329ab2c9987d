import { errors } from '@storekeep/common/errors'
import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import type { AppContext, SubscriptionHandlers } from '../../context.ts'
import { findSubscription } from '../db/subscription-repository.ts'
import { subscriptionToProto } from '../mappers.ts'

export function getSubscription(ctx: AppContext): SubscriptionHandlers['getSubscription'] {
  return async ({ subscriptionId }, call) => {
    const key = { storeId: requireStore(call), id: requireFlakeId('subscription_id', subscriptionId) }
    const found = await findSubscription(ctx.database, key)
    if (!found) throw errors.notFound('subscription')
    return { subscription: subscriptionToProto(found) }
  }
}
