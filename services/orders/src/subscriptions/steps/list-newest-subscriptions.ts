import { cutPage, planPage } from '@storekeep/common/page'
import { pageLimits } from '@storekeep/proto/conventions/limits'
import type { AppContext } from '../../context.ts'
import { selectSubscriptions } from '../db/subscription-repository.ts'
import type { Subscription } from '../domain/subscription.ts'
import { checkSubscriptionFilter } from '../domain/subscription-filter.ts'

/** The subscriptions of a customer, newest first, at most 100. */
export async function listNewestSubscriptions(
  { database }: Pick<AppContext, 'database'>,
  storeId: string,
  customerId: string,
): Promise<readonly Subscription[]> {
  const plan = planPage({ limit: pageLimits.max, asc: false })
  const filter = checkSubscriptionFilter({ customerId, status: undefined })
  return cutPage(plan, await selectSubscriptions(database, storeId, filter, plan)).rows
}
