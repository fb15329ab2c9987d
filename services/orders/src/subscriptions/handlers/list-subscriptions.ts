import { requireStore } from '@storekeep/common/grpc'
import { cutPage, planPage } from '@storekeep/common/page'
import type { AppContext, SubscriptionHandlers } from '../../context.ts'
import { selectSubscriptions } from '../db/subscription-repository.ts'
import { checkSubscriptionFilter } from '../domain/subscription-filter.ts'
import { filterFromProto, subscriptionToProto } from '../mappers.ts'

export function listSubscriptions(ctx: AppContext): SubscriptionHandlers['listSubscriptions'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const plan = planPage(request.page)
    const filter = checkSubscriptionFilter(filterFromProto(request))
    // One index serves each filter in the order of the page; both together may read many rows.
    const isIndexed = filter.status === undefined || filter.customerId === undefined
    const db = isIndexed ? ctx.database : ctx.database.scans(call, { mayLag: true })
    const { rows, info } = cutPage(plan, await selectSubscriptions(db, storeId, filter, plan))
    return { subscriptions: rows.map(subscriptionToProto), page: info }
  }
}
