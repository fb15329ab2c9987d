import { loadGameServers } from '../delivery/load-delivery.ts'
import { type Handler, redirect } from '../http/route.ts'
import { loadProfiles, namesOf } from '../load-profiles.ts'
import { pageReply } from '../views/layout.ts'
import { receiptPage } from '../views/receipt-page.ts'
import { checkoutPath } from './links.ts'
import { loadCheckout } from './load-checkout.ts'

/** The receipt of a paid checkout. The link of the checkout proves the buyer, who may have no account. */
export const showReceipt: Handler = async (ctx, request) => {
  const { language, site } = request
  const checkout = await loadCheckout(ctx, request)
  if (checkout === undefined) return redirect(`${site.path}/`)
  const { store, session, state } = checkout
  const { order } = state
  if (order === undefined) return redirect(checkoutPath(request, checkout))
  request.call(session.storeId)
  const [profiles, gameServers] = await Promise.all([
    loadProfiles(ctx, request, order.lines),
    loadGameServers(ctx, request),
  ])
  const names = {
    recipients: namesOf(profiles),
    serverNames: new Map(gameServers.map((server) => [server.id, server.name])),
  }
  const back = { href: checkoutPath(request, checkout), label: language.texts.backToOrder }
  return pageReply(request, {
    title: language.texts.receipt(String(order.number)),
    content: receiptPage(order, names, store, language, back),
    store,
    scripts: ['local-time.js'],
  })
}
