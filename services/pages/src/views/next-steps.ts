import { timestampMs } from '@bufbuild/protobuf/wkt'
import type { Order } from '@storekeep/proto/orders/v1/order'
import { html } from 'hono/html'
import { isDelivered, waitsOf } from '../delivery/item-status.ts'
import type { Delivery } from '../delivery/load-delivery.ts'
import type { Html } from './html.ts'
import { type ItemView, itemList } from './item-list.ts'

/** What happens after the payment of an order, and whether that can change soon. */
export function nextSteps(
  order: Pick<Order, 'createdAt'>,
  delivery: Delivery | undefined,
  view: Omit<ItemView, 'serverNames'>,
): NextSteps {
  const texts = view.language.texts.delivery
  const section = (content: Html) => html`<section class="screen next" aria-labelledby="next">
<h2 id="next">${texts.next}</h2>
${content}
</section>`
  const text = (line: string) => section(html`<p>${line}</p>`)
  if (delivery === undefined) return { content: text(texts.unavailable), pollSeconds: 15 }
  const { items, serverNames } = delivery
  if (items.length === 0) {
    const isNew = order.createdAt !== undefined && view.nowMs - timestampMs(order.createdAt) < newMs
    return isNew ? { content: text(texts.preparing), pollSeconds: 2 } : { content: undefined }
  }
  const waiting = items.filter((item) => waitsOf(item, view.nowMs).length > 0)
  if (waiting.length > 0) {
    return { content: section(itemList(waiting, { ...view, serverNames })), pollSeconds: 15 }
  }
  return { content: text(items.every(isDelivered) ? texts.complete : texts.byStore) }
}

interface NextSteps {
  /** Undefined if there is nothing to say. */
  content: Html | undefined
  /** Undefined if the page need not look for changes. */
  pollSeconds?: number
}

/** An older order without items was paid before there were any. */
const newMs = 60 * 60_000
