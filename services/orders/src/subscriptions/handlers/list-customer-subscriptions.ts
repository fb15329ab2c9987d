import { requireStore } from '@storekeep/common/grpc'
import { cutPage, planPage } from '@storekeep/common/page'
import { pageLimits } from '@storekeep/proto/conventions/limits'
import type { AppContext, SubscriptionHandlers } from '../../context.ts'
import { selectSubscriptions } from '../db/subscription-repository.ts'
import { checkSubscriptionFilter } from '../domain/subscription-filter.ts'
import { subscriptionToProto } from '../mappers.ts'

export function listCustomerSubscriptions(ctx: AppContext): SubscriptionHandlers['listCustomerSubscriptions'] {
  return async ({ customerId }, call) => {
    const plan = planPage({ limit: pageLimits.max, asc: false })
    const filter = checkSubscriptionFilter({ customerId, status: undefined })
    const { rows } = cutPage(plan, await selectSubscriptions(ctx.database, requireStore(call), filter, plan))
    return { subscriptions: rows.map(subscriptionToProto) }
  }
}
