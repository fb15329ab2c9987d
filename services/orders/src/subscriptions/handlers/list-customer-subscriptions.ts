import { requireStore } from '@storekeep/common/grpc'
import type { AppContext, SubscriptionHandlers } from '../../context.ts'
import { subscriptionToProto } from '../mappers.ts'
import { listNewestSubscriptions } from '../steps/list-newest-subscriptions.ts'

export function listCustomerSubscriptions(ctx: AppContext): SubscriptionHandlers['listCustomerSubscriptions'] {
  return async ({ portalSecret }, call) => {
    const customerId = await ctx.portalSessions.customerOf(portalSecret, call)
    const subscriptions = await listNewestSubscriptions(ctx, requireStore(call), customerId)
    return { subscriptions: subscriptions.map(subscriptionToProto) }
  }
}
