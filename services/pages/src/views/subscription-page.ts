import { timestampMs } from '@bufbuild/protobuf/wkt'
import type { Order } from '@storekeep/proto/orders/v1/order'
import { PaymentProvider } from '@storekeep/proto/orders/v1/payment'
import { type Subscription, SubscriptionStatus } from '@storekeep/proto/orders/v1/subscription'
import { html } from 'hono/html'
import type { Delivery } from '../delivery/load-delivery.ts'
import type { PageRequest } from '../http/route.ts'
import type { Portal } from '../portal/load-portal.ts'
import type { SubscriptionNotice } from '../portal/load-subscription.ts'
import { formatDate } from '../texts/format.ts'
import type { Language } from '../texts/language.ts'
import type { Html } from './html.ts'
import { pagedItems } from './item-section.ts'
import { orderList } from './order-list.ts'
import { message, notice as noticeView } from './parts.ts'
import { nameOf, priceOf, statusOf } from './subscription-list.ts'

/** A subscription, what was delivered and paid for it, and what its customer can do. */
export function subscriptionPage(page: SubscriptionPage): Html {
  const { subscription, orders, notice, portal, request } = page
  const { language, site } = request
  const { texts } = language
  const { session, store } = portal
  return html`<h1>${nameOf(subscription)}</h1>
${noticeText(notice, subscription, language)}
<section class="card" aria-labelledby="subscription">
<h2 id="subscription">${texts.subscription}</h2>
${facts(subscription, language)}
${actions(subscription, request)}
</section>
${subscription.provider === PaymentProvider.TEST ? testRenewal(subscription, request) : ''}
${itemsOf(page)}
<section class="card" aria-labelledby="orders">
<h2 id="orders">${texts.subscriptionOrders}</h2>
${orders.length === 0 ? html`<p>${texts.noSubscriptionOrders}</p>` : orderList(orders, 'orders', request)}
</section>
<p class="links"><a class="quiet" href="${site.path}/">${texts.backToAccount}</a>
${session.returnUrl === undefined ? '' : html`<a class="quiet" href="${session.returnUrl}" rel="noreferrer">${texts.backTo(store.name)}</a>`}</p>`
}

interface SubscriptionPage {
  subscription: Subscription
  orders: readonly Order[]
  /** Names of gift recipients, by id. */
  recipients: ReadonlyMap<string, string>
  /** One page of the items of all periods, newest first. Undefined if the delivery service is unavailable. */
  delivery: Delivery | undefined
  isFirst: boolean
  /** Unix time in milliseconds. */
  nowMs: number
  notice: SubscriptionNotice | undefined
  portal: Portal
  request: PageRequest
}

function itemsOf({ subscription, portal, request, ...page }: SubscriptionPage): Html | '' {
  const { language, site } = request
  const { newest: start, older: more } = language.texts.delivery
  const path = `${site.path}/subscriptions/${subscription.id}`
  return pagedItems({ ...page, language, path, start, more, viewerId: portal.customer.id })
}

/** Asks for a confirmation. */
export function cancellationPage(subscription: Subscription, { language, site }: PageRequest): Html {
  const { texts } = language
  const path = `${site.path}/subscriptions/${subscription.id}`
  const endsNow = subscription.status === SubscriptionStatus.PAST_DUE
  const text = endsNow ? texts.cancelNowText : texts.cancelText(formatDate(subscription.currentPeriodEnd, language))
  const details = html`<dl class="facts">${terms(subscription, language)}</dl>`
  const form = html`<form class="decisions" method="post" action="${path}/cancel" data-once>
<button class="button danger" type="submit">${texts.cancelSubscription}</button>
</form>`
  const links = [{ href: path, label: texts.keepSubscription }]
  return message({ title: texts.cancelTitle, text, details, form, links })
}

export function paymentMethodPage(subscription: Subscription, { language, site }: PageRequest): Html {
  const { texts } = language
  const path = `${site.path}/subscriptions/${subscription.id}`
  const details = facts(subscription, language)
  const form = html`<form class="decisions" method="post" action="${path}/payment-method" data-once>
<button class="button" type="submit">${texts.updateMethod}</button>
</form>`
  const links = [{ href: path, label: texts.backToSubscription }]
  return message({ title: texts.updateMethod, text: texts.updateMethodText, details, form, links })
}

function facts(subscription: Subscription, language: Language): Html {
  const { texts } = language
  const { status, cancelAtPeriodEnd, currentPeriodEnd, canceledAt } = subscription
  const isOver = status === SubscriptionStatus.CANCELED
  const [label, date] = isOver
    ? [texts.endedOn, canceledAt]
    : [cancelAtPeriodEnd ? texts.endsOn : texts.renewsOn, currentPeriodEnd]
  return html`<dl class="facts">
${terms(subscription, language)}
<div><dt>${label}</dt><dd>${formatDate(date, language)}</dd></div>
</dl>`
}

function terms(subscription: Subscription, language: Language): Html {
  const { texts } = language
  return html`<div><dt>${texts.subscription}</dt><dd>${nameOf(subscription)}</dd></div>
<div><dt>${texts.status}</dt><dd>${statusOf(subscription, texts)}</dd></div>
<div><dt>${texts.total}</dt><dd>${priceOf(subscription, language)}</dd></div>`
}

function actions({ id, status, cancelAtPeriodEnd }: Subscription, { language, site }: PageRequest): Html | '' {
  if (status === SubscriptionStatus.CANCELED) return ''
  const { texts } = language
  const path = `${site.path}/subscriptions/${id}`
  return html`<p class="links">
${cancelAtPeriodEnd ? '' : html`<a class="button secondary" href="${path}/payment-method">${texts.updateMethod}</a>`}
${cancelAtPeriodEnd ? '' : html`<a class="button secondary" href="${path}/cancel">${texts.cancelSubscription}</a>`}
</p>`
}

function testRenewal({ id, status, currentPeriodEnd }: Subscription, { language, site }: PageRequest): Html | '' {
  if (status === SubscriptionStatus.CANCELED || !currentPeriodEnd) return ''
  const { texts } = language
  return html`<section class="card" aria-labelledby="test-renewal">
<h2 id="test-renewal">${texts.testRenewal}</h2>
<p>${texts.testRenewalText}</p>
<form class="decisions" method="post" action="${site.path}/subscriptions/${id}/test-renewal" data-once>
<input type="hidden" name="period_end" value="${timestampMs(currentPeriodEnd)}">
<button class="button" name="decision" value="approve">${texts.testApprove}</button>
<button class="button secondary" name="decision" value="decline">${texts.testDecline}</button>
</form>
</section>`
}

function noticeText(notice: SubscriptionNotice | undefined, { status }: Subscription, { texts }: Language): Html | '' {
  if (notice === 'canceled') return noticeView(texts.subscriptionCanceled, 'info')
  if (notice === 'method') return noticeView(texts.methodUpdated, 'info')
  if (notice === 'test-rejected') return noticeView(texts.testRejected, 'error')
  return status === SubscriptionStatus.PAST_DUE ? noticeView(texts.pastDueNotice, 'error') : ''
}
