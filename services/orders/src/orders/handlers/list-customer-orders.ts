import { requireStore } from '@storekeep/common/grpc'
import { cutPage, planPage, readInParts } from '@storekeep/common/page'
import type { AppContext, OrderHandlers } from '../../context.ts'
import { listNewestSubscriptions } from '../../subscriptions/db/subscription-repository.ts'
import { subscriptionToProto } from '../../subscriptions/mappers.ts'
import { findOwnSubscription } from '../../subscriptions/steps/find-own-subscription.ts'
import { selectOrders } from '../db/order-repository.ts'
import { anyOrder, checkOrderFilter } from '../domain/order-filter.ts'
import { orderToProto } from '../mappers.ts'

export function listCustomerOrders(ctx: AppContext): OrderHandlers['listCustomerOrders'] {
  return async ({ portalSecret, subscriptionId, page }, call) => {
    const storeId = requireStore(call)
    const plan = planPage(page)
    const customerId = await ctx.portalSessions.customerOf(portalSecret, call)
    const filter = checkOrderFilter({ ...anyOrder, customerId, subscriptionId })
    const select = (part: typeof plan) => selectOrders(ctx.database, storeId, filter, part)
    const subscriptions =
      subscriptionId === undefined
        ? await listNewestSubscriptions(ctx.database, storeId, customerId)
        : [await findOwnSubscription(ctx, call, customerId, subscriptionId)]
    const { rows, info } = cutPage(plan, await readInParts(plan, select))
    return { orders: rows.map(orderToProto), page: info, subscriptions: subscriptions.map(subscriptionToProto) }
  }
}
