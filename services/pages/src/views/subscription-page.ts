import type { Order } from '@storekeep/proto/orders/v1/order'
import { html } from 'hono/html'
import type { PageRequest } from '../http/route.ts'
import type { Portal } from '../portal/load-portal.ts'
import type { Html } from './layout.ts'
import { orderList } from './order-list.ts'

export function subscriptionPage(orders: readonly Order[], { session, store }: Portal, request: PageRequest): Html {
  const { texts } = request.language
  return html`<h1 id="subscription-orders">${texts.subscriptionOrders}</h1>
<section class="card">
${orders.length === 0 ? html`<p>${texts.noSubscriptionOrders}</p>` : orderList(orders, 'subscription-orders', request)}
</section>
<p class="links"><a class="quiet" href="${request.site.path}/">${texts.backToAccount}</a>
${session.returnUrl === undefined ? '' : html`<a class="quiet" href="${session.returnUrl}" rel="noreferrer">${texts.backTo(store.name)}</a>`}</p>`
}
