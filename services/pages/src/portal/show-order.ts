import { errors } from '@storekeep/common/errors'
import { isFlakeId } from '@storekeep/common/flake'
import { itemsAfter, loadDelivery } from '../delivery/load-delivery.ts'
import type { Handler } from '../http/route.ts'
import { loadProfiles, namesOf } from '../load-profiles.ts'
import { pageReply } from '../views/layout.ts'
import { orderPage } from '../views/order-page.ts'
import { signedOut } from './enter-portal.ts'
import { loadPortal } from './load-portal.ts'

/** The receipt of an order, and what became of its items. */
export const showOrder: Handler = async (ctx, request) => {
  const portal = await loadPortal(ctx, request)
  if (portal === undefined) return signedOut(request)
  const { orderId = '' } = request.params
  if (!isFlakeId(orderId)) throw errors.notFound('order')
  const after = itemsAfter(request)
  const [{ order }, delivery] = await Promise.all([
    ctx.orders.getCustomerOrder({ portalSecret: portal.key.secret, orderId }, portal.call),
    // Shown only if the order belongs to the customer, which orders checks.
    loadDelivery(ctx, request, { orderId, limit: 20, after }),
  ])
  if (!order) throw new Error('GetCustomerOrder returned no order')
  const recipients = namesOf(await loadProfiles(ctx, request, order.lines))
  const { language } = request
  const title = language.texts.receipt(String(order.number))
  return pageReply(request, {
    title,
    content: orderPage({
      order,
      recipients,
      delivery,
      isFirst: after === undefined,
      nowMs: ctx.clock.now().getTime(),
      portal,
      request,
    }),
    store: portal.store,
    scripts: ['local-time.js'],
  })
}
