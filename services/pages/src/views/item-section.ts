import { html } from 'hono/html'
import type { Delivery } from '../delivery/load-delivery.ts'
import type { Html } from './html.ts'
import { type ItemView, itemList } from './item-list.ts'
import type { Link } from './parts.ts'

/** A card with one page of items, or with a text if there are none or their status is unavailable. */
export function itemSection({ title, empty, delivery, links, view }: ItemSection): Html {
  return html`<section class="card screen" aria-labelledby="items">
<h2 id="items">${title}</h2>
${content(delivery, empty, view)}
${links.length === 0 ? '' : html`<p class="links">${links.map(({ href, label }) => html`<a class="quiet" href="${href}">${label}</a>`)}</p>`}
</section>`
}

/** The items of an order or a subscription, in pages. Nothing without items: it was paid before there were any. */
export function pagedItems({
  path,
  start,
  more,
  delivery,
  isFirst,
  viewerId,
  recipients,
  nowMs,
  language,
}: PagedItems) {
  if (delivery?.items.length === 0 && isFirst) return ''
  const { ofOrder: title, none: empty } = language.texts.delivery
  const next = delivery?.next
  return itemSection({
    title,
    empty,
    delivery,
    links: [
      ...(isFirst ? [] : [{ href: `${path}#items`, label: start }]),
      ...(next === undefined ? [] : [{ href: `${path}?items=${next}#items`, label: more }]),
    ],
    view: { language, viewerId, recipients, nowMs },
  })
}

interface PagedItems extends Omit<ItemView, 'serverNames'> {
  /** Of the page that shows the section. */
  path: string
  /** The texts of the links to the first and the next page. */
  start: string
  more: string
  delivery: Delivery | undefined
  isFirst: boolean
}

interface ItemSection {
  title: string
  /** Shown if there are no items. */
  empty: string
  /** Undefined if the delivery service is unavailable. */
  delivery: Delivery | undefined
  links: readonly Link[]
  view: Omit<ItemView, 'serverNames'>
}

function content(delivery: Delivery | undefined, empty: string, view: ItemSection['view']): Html {
  if (delivery === undefined) return html`<p>${view.language.texts.delivery.unavailable}</p>`
  const { items, serverNames } = delivery
  return items.length === 0 ? html`<p>${empty}</p>` : itemList(items, { ...view, serverNames })
}
