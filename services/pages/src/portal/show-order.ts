import { errors } from '@storekeep/common/errors'
import { isFlakeId } from '@storekeep/common/flake'
import type { Handler } from '../http/route.ts'
import { loadRecipients } from '../load-recipients.ts'
import { pageReply } from '../views/layout.ts'
import { receiptPage } from '../views/receipt-page.ts'
import { signedOut } from './enter-portal.ts'
import { loadPortal } from './load-portal.ts'

/** The receipt of an order. */
export const showOrder: Handler = async (ctx, request) => {
  const portal = await loadPortal(ctx, request)
  if (portal === undefined) return signedOut(request)
  const { orderId = '' } = request.params
  if (!isFlakeId(orderId)) throw errors.notFound('order')
  const { order } = await ctx.orders.getCustomerOrder({ portalSecret: portal.key.secret, orderId }, portal.call)
  if (!order) throw new Error('GetCustomerOrder returned no order')
  const recipients = await loadRecipients(ctx, order.lines, portal.call)
  const { language, site } = request
  const title = language.texts.receipt(String(order.number))
  return pageReply({
    title,
    content: receiptPage(order, recipients, portal, request),
    site,
    language,
    store: portal.store,
  })
}
