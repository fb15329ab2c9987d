import type { Order } from '@storekeep/proto/orders/v1/order'
import { html } from 'hono/html'
import type { Delivery } from '../delivery/load-delivery.ts'
import type { PageRequest } from '../http/route.ts'
import type { Portal } from '../portal/load-portal.ts'
import type { Html } from './html.ts'
import { pagedItems } from './item-section.ts'
import { receiptPage } from './receipt-page.ts'

/** The receipt of an order, and what became of its items. */
export function orderPage(page: OrderPage): Html {
  const { order, recipients, delivery, portal, request } = page
  const names = { recipients, serverNames: delivery?.serverNames ?? new Map() }
  const { language, site } = request
  const back = { href: `${site.path}/`, label: language.texts.backToAccount }
  return html`${receiptPage(order, names, portal.store, language, back)}
${itemsOf(page)}`
}

interface OrderPage {
  order: Order
  /** Names of gift recipients, by id. */
  recipients: ReadonlyMap<string, string>
  /** One page of the order's items. Undefined if the delivery service is unavailable. */
  delivery: Delivery | undefined
  isFirst: boolean
  /** Unix time in milliseconds. */
  nowMs: number
  portal: Portal
  request: PageRequest
}

function itemsOf({ order, portal, request, ...page }: OrderPage): Html | '' {
  const { language, site } = request
  const { first: start, more } = language.texts.delivery
  const path = `${site.path}/orders/${order.id}`
  return pagedItems({ ...page, language, path, start, more, viewerId: portal.customer.id })
}
