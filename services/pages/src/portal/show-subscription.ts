import type { Handler } from '../http/route.ts'
import { pageReply } from '../views/layout.ts'
import { nameOf } from '../views/subscription-list.ts'
import { subscriptionPage } from '../views/subscription-page.ts'
import { signedOut } from './enter-portal.ts'
import { loadSubscriptionKey, subscriptionNoticeOf } from './load-subscription.ts'

/** A subscription and its latest orders. */
export const showSubscription: Handler = async (ctx, request) => {
  const loaded = await loadSubscriptionKey(ctx, request)
  if (loaded === undefined) return signedOut(request)
  const { portal, key } = loaded
  const { orders, subscriptions } = await ctx.orders.listCustomerOrders({ ...key, page: { limit: 100 } }, portal.call)
  const [subscription] = subscriptions
  if (!subscription) throw new Error('ListCustomerOrders returned no subscription')
  const { language, site } = request
  return pageReply({
    title: nameOf(subscription),
    content: subscriptionPage({ subscription, orders, notice: subscriptionNoticeOf(request.query), portal, request }),
    site,
    language,
    store: portal.store,
    scripts: ['forms.js'],
  })
}
