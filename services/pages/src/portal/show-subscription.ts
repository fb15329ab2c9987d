import { errors } from '@storekeep/common/errors'
import { isFlakeId } from '@storekeep/common/flake'
import type { Handler } from '../http/route.ts'
import { pageReply } from '../views/layout.ts'
import { subscriptionPage } from '../views/subscription-page.ts'
import { signedOut } from './enter-portal.ts'
import { loadPortal } from './load-portal.ts'

/** The page that a portal session with a flow opens: what was paid for the subscription. */
export const showSubscription: Handler = async (ctx, request) => {
  const portal = await loadPortal(ctx, request)
  if (portal === undefined) return signedOut(request)
  const { subscriptionId = '' } = request.params
  if (!isFlakeId(subscriptionId)) throw errors.notFound('subscription')
  const { orders } = await ctx.orders.listCustomerOrders(
    { customerId: portal.customer.id, page: { limit: 100 } },
    portal.call,
  )
  const { language, site } = request
  return pageReply({
    title: language.texts.subscriptionOrders,
    content: subscriptionPage(
      orders.filter((order) => order.subscriptionId === subscriptionId),
      portal,
      request,
    ),
    site,
    language,
    store: portal.store,
  })
}
