import { itemsAfter, loadDelivery } from '../delivery/load-delivery.ts'
import type { Handler } from '../http/route.ts'
import { loadProfiles, namesOf } from '../load-profiles.ts'
import { pageReply } from '../views/layout.ts'
import { nameOf } from '../views/subscription-list.ts'
import { subscriptionPage } from '../views/subscription-page.ts'
import { signedOut } from './enter-portal.ts'
import { loadSubscriptionKey, subscriptionNoticeOf } from './load-subscription.ts'

/** A subscription, what became of its items, and its latest orders. */
export const showSubscription: Handler = async (ctx, request) => {
  const loaded = await loadSubscriptionKey(ctx, request)
  if (loaded === undefined) return signedOut(request)
  const { portal, key } = loaded
  const after = itemsAfter(request)
  const [{ orders, subscriptions }, delivery] = await Promise.all([
    ctx.orders.listCustomerOrders({ ...key, page: { limit: 100 } }, portal.call),
    // Shown only if the subscription belongs to the customer, which orders checks.
    loadDelivery(ctx, request, { subscriptionId: key.subscriptionId, limit: 20, after }),
  ])
  const [subscription] = subscriptions
  if (!subscription) throw new Error('ListCustomerOrders returned no subscription')
  const recipients = namesOf(await loadProfiles(ctx, request, subscription.lines))
  return pageReply(request, {
    title: nameOf(subscription),
    content: subscriptionPage({
      subscription,
      orders,
      recipients,
      delivery,
      isFirst: after === undefined,
      nowMs: ctx.clock.now().getTime(),
      notice: subscriptionNoticeOf(request.query),
      portal,
      request,
    }),
    store: portal.store,
    scripts: ['forms.js', 'local-time.js'],
  })
}
