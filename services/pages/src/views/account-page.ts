import type { Customer } from '@storekeep/proto/customers/v1/customer'
import type { Order } from '@storekeep/proto/orders/v1/order'
import type { Subscription } from '@storekeep/proto/orders/v1/subscription'
import { html } from 'hono/html'
import type { Delivery } from '../delivery/load-delivery.ts'
import type { PageRequest } from '../http/route.ts'
import type { Portal } from '../portal/load-portal.ts'
import { formatDate } from '../texts/format.ts'
import type { Language } from '../texts/language.ts'
import type { Html } from './html.ts'
import { productImage } from './images.ts'
import { itemSection } from './item-section.ts'
import { orderList } from './order-list.ts'
import { subscriptionList } from './subscription-list.ts'

export function accountPage(page: AccountPage): Html {
  const { portal, orders, subscriptions, next, isFirst, request } = page
  const { language, site } = request
  const { texts } = language
  const { session, store, customer } = portal
  return html`<h1>${texts.account}</h1>
<section class="card" aria-labelledby="profile">
<h2 id="profile">${texts.profile}</h2>
${profile(customer, store.id, request)}
</section>
${activeItems(page)}
${
  subscriptions.length === 0
    ? ''
    : html`<section class="card" aria-labelledby="subscriptions">
<h2 id="subscriptions">${texts.subscriptions}</h2>
${subscriptionList(subscriptions, 'subscriptions', request)}
</section>`
}
<section class="card" aria-labelledby="orders">
<h2 id="orders">${texts.orders}</h2>
${orders.length === 0 && isFirst ? html`<p>${texts.noOrders}</p>` : orderList(orders, 'orders', request)}
${pages(next, isFirst, site.path, language)}
</section>
<section class="card">
<form class="decisions" method="post" action="${site.path}/sign-out" data-once>
<button class="button secondary" type="submit">${texts.signOut}</button>
<button class="button secondary" type="submit" name="everywhere" value="true" aria-describedby="everywhere-hint">${texts.signOutEverywhere}</button>
<p class="hint" id="everywhere-hint">${texts.signOutEverywhereHint}</p>
</form>
</section>
${session.returnUrl === undefined ? '' : html`<p class="links"><a class="quiet" href="${session.returnUrl}" rel="noreferrer">${texts.backTo(store.name)}</a></p>`}`
}

interface AccountPage {
  portal: Portal
  orders: readonly Order[]
  subscriptions: readonly Subscription[]
  /** The newest items that are usable or active. Undefined if the delivery service is unavailable. */
  delivery: Delivery | undefined
  /** Unix time in milliseconds. */
  nowMs: number
  /** Id of the last order, if there are more. */
  next: string | undefined
  isFirst: boolean
  request: PageRequest
}

/** Nothing for a customer without items and orders. */
function activeItems({ delivery, orders, portal: { customer }, nowMs, request: { language, site } }: AccountPage) {
  if (delivery?.items.length === 0 && orders.length === 0) return ''
  const texts = language.texts.delivery
  return itemSection({
    title: texts.title,
    empty: texts.noneActive,
    delivery,
    links: [{ href: `${site.path}/items`, label: texts.all }],
    view: { language, viewerId: customer.id, recipients: new Map(), nowMs },
  })
}

function profile(customer: Customer, storeId: string, { language, site }: PageRequest): Html {
  const { texts } = language
  const facts: [string, string | undefined][] = [
    [texts.steam, customer.steamId],
    [texts.minecraft, customer.minecraft?.name ?? customer.minecraftUuid],
    [texts.xbox, customer.xboxXuid],
    [texts.customerSince, formatDate(customer.createdAt, language)],
  ]
  const { name = customer.id, avatarUrl: url } = customer.profile ?? {}
  return html`<div class="profile">
${productImage({ site, storeId, url, name, size: 'line' })}
<p class="profile-name">${name}</p>
</div>
<dl class="facts">${facts.map(([label, value]) => (value ? html`<div><dt>${label}</dt><dd>${value}</dd></div>` : ''))}</dl>`
}

function pages(next: string | undefined, isFirst: boolean, path: string, { texts }: Language): Html | '' {
  if (!next && isFirst) return ''
  return html`<p class="links">
${isFirst ? '' : html`<a class="quiet" href="${path}/">${texts.newestOrders}</a>`}
${next ? html`<a class="quiet" href="${path}/?after=${next}">${texts.olderOrders}</a>` : ''}
</p>`
}
