import { requireStore } from '@storekeep/common/grpc'
import type { AppContext, SubscriptionHandlers } from '../../context.ts'
import { listNewestSubscriptions } from '../db/subscription-repository.ts'
import { subscriptionToProto } from '../mappers.ts'

export function listCustomerSubscriptions(ctx: AppContext): SubscriptionHandlers['listCustomerSubscriptions'] {
  return async ({ portalSecret }, call) => {
    const customerId = await ctx.portalSessions.customerOf(portalSecret, call)
    const subscriptions = await listNewestSubscriptions(ctx.database, requireStore(call), customerId)
    return { subscriptions: subscriptions.map(subscriptionToProto) }
  }
}
