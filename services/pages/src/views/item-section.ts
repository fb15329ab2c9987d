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
