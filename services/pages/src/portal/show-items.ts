import { itemsAfter, loadDelivery } from '../delivery/load-delivery.ts'
import type { Handler } from '../http/route.ts'
import { itemsPage } from '../views/items-page.ts'
import { pageReply } from '../views/layout.ts'
import { signedOut } from './enter-portal.ts'
import { loadPortal } from './load-portal.ts'

/** Everything that the customer owns or owned. */
export const showItems: Handler = async (ctx, request) => {
  const portal = await loadPortal(ctx, request)
  if (portal === undefined) return signedOut(request)
  const after = itemsAfter(request)
  const delivery = await loadDelivery(ctx, request, { customerId: portal.customer.id, limit: 20, after })
  const { language } = request
  return pageReply(request, {
    title: language.texts.delivery.title,
    content: itemsPage({
      delivery,
      isFirst: after === undefined,
      nowMs: ctx.clock.now().getTime(),
      customerId: portal.customer.id,
      request,
    }),
    store: portal.store,
    scripts: ['local-time.js'],
  })
}
