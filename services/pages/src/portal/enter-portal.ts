import { timestampMs } from '@bufbuild/protobuf/wkt'
import { cellOfLinkToken } from '@storekeep/common/crypto'
import { isFlakeId } from '@storekeep/common/flake'
import type { PortalFlow } from '@storekeep/proto/customers/v1/customer'
import type { PagesContext } from '../context.ts'
import { loadDelivery } from '../delivery/load-delivery.ts'
import { countUnknownToken } from '../http/count-unknown-token.ts'
import { type Handler, type PageRequest, type Reply, redirect } from '../http/route.ts'
import { accountPage } from '../views/account-page.ts'
import { pageReply } from '../views/layout.ts'
import { message } from '../views/parts.ts'
import { loadPortal, type Portal, undefinedIfUnauthorized } from './load-portal.ts'
import { portalCookie } from './portal-cookie.ts'

/** The page at the `url` of a portal session: exchanges the token of the link for a cookie, then shows the account. */
export const enterPortal: Handler = async (ctx, request) => {
  const token = request.query.get('t')
  if (token !== null) return exchange(ctx, request, token)
  const portal = await loadPortal(ctx, request)
  return portal ? showAccount(ctx, request, portal) : signedOut(request)
}

/** The page without a valid session. */
export function signedOut(request: PageRequest): Promise<Reply> {
  const { portalUnknownTitle: title, portalUnknownText: text } = request.language.texts
  return pageReply(request, { title, content: message({ title, text }), status: 404 })
}

async function exchange(ctx: PagesContext, request: PageRequest, token: string): Promise<Reply> {
  const { address, req, site } = request
  // A link works once, so prefetching browsers and link previews with HEAD must not use it up.
  if (req.method === 'HEAD' || /prefetch|prerender/.test(req.headers['sec-purpose']?.toString() ?? '')) {
    return { status: 503 }
  }
  const cell = cellOfLinkToken(token)
  const found =
    cell !== undefined && ctx.config.cells.has(cell)
      ? await ctx.customers.exchangePortalToken({ token }, { ...request.call(), cell }).catch(undefinedIfUnauthorized)
      : undefined
  if (!found?.portalSession?.expiresAt) {
    // The link was opened again in the browser that has used it.
    if (await loadPortal(ctx, request)) return redirect(`${site.path}/`)
    countUnknownToken(ctx, address, token)
    return signedOut(request)
  }
  const { secret, portalSession } = found
  const maxAge = Math.floor((timestampMs(found.portalSession.expiresAt) - ctx.clock.now().getTime()) / 1000)
  const cookie = portalCookie({ storeId: portalSession.storeId, secret }, Math.max(1, maxAge))
  return redirect(`${site.path}${pageOf(portalSession.flow)}`, cookie)
}

function pageOf(flow: PortalFlow | undefined): string {
  const page = flow?.flow.case === 'subscriptionCancel' ? 'cancel' : 'payment-method'
  return flow?.flow.value ? `/subscriptions/${flow.flow.value.subscriptionId}/${page}` : '/'
}

async function showAccount(ctx: PagesContext, request: PageRequest, portal: Portal): Promise<Reply> {
  const { language, query } = request
  const after = query.get('after')
  const [{ orders, page, subscriptions }, delivery] = await Promise.all([
    ctx.orders.listCustomerOrders(
      { portalSecret: portal.key.secret, page: { limit: 20, ...(after !== null && isFlakeId(after) && { after }) } },
      portal.call,
    ),
    loadDelivery(ctx, request, { customerId: portal.customer.id, activeOnly: true, limit: 10 }),
  ])
  return pageReply(request, {
    title: language.texts.account,
    content: accountPage({
      portal,
      orders,
      subscriptions,
      delivery,
      nowMs: ctx.clock.now().getTime(),
      next: page?.hasNext ? orders.at(-1)?.id : undefined,
      isFirst: after === null,
      request,
    }),
    store: portal.store,
    scripts: ['forms.js', 'local-time.js'],
  })
}
