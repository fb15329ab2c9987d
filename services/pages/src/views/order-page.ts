import type { Order } from '@storekeep/proto/orders/v1/order'
import { html } from 'hono/html'
import type { Delivery } from '../delivery/load-delivery.ts'
import type { PageRequest } from '../http/route.ts'
import type { Portal } from '../portal/load-portal.ts'
import type { Html } from './html.ts'
import { itemSection } from './item-section.ts'
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

/** Nothing for an order without items, which was paid before there were any. */
function itemsOf({ order, recipients, delivery, isFirst, nowMs, portal, request }: OrderPage): Html | '' {
  if (delivery?.items.length === 0 && isFirst) return ''
  const { language, site } = request
  const texts = language.texts.delivery
  const path = `${site.path}/orders/${order.id}`
  const next = delivery?.next
  return itemSection({
    title: texts.ofOrder,
    empty: texts.none,
    delivery,
    links: [
      ...(isFirst ? [] : [{ href: `${path}#items`, label: texts.first }]),
      ...(next === undefined ? [] : [{ href: `${path}?items=${next}#items`, label: texts.more }]),
    ],
    view: { language, viewerId: portal.customer.id, recipients, nowMs },
  })
}
