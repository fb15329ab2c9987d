import { html } from 'hono/html'
import type { Delivery } from '../delivery/load-delivery.ts'
import type { PageRequest } from '../http/route.ts'
import type { Html } from './html.ts'
import { itemSection } from './item-section.ts'

/** One page of everything that a customer owns or owned. */
export function itemsPage({ delivery, isFirst, nowMs, customerId, request }: ItemsPage): Html {
  const { language, site } = request
  const { texts } = language
  const path = `${site.path}/items`
  const next = delivery?.next
  return html`<h1>${texts.delivery.title}</h1>
${itemSection({
  title: texts.delivery.all,
  empty: texts.delivery.none,
  delivery,
  links: [
    ...(isFirst ? [] : [{ href: path, label: texts.delivery.newest }]),
    ...(next === undefined ? [] : [{ href: `${path}?items=${next}`, label: texts.delivery.older }]),
  ],
  view: { language, viewerId: customerId, recipients: new Map(), nowMs },
})}
<p class="links"><a class="quiet" href="${site.path}/">${texts.backToAccount}</a></p>`
}

interface ItemsPage {
  /** Undefined if the delivery service is unavailable. */
  delivery: Delivery | undefined
  isFirst: boolean
  /** Unix time in milliseconds. */
  nowMs: number
  customerId: string
  request: PageRequest
}
