import { type Order, OrderStatus } from '@storekeep/proto/orders/v1/order'
import { html } from 'hono/html'
import type { PageRequest } from '../http/route.ts'
import type { Texts } from '../texts/en.ts'
import { formatDate, formatMoney } from '../texts/format.ts'
import type { Html } from './layout.ts'

/**
 * A table of orders. It has its roles explicitly, because browsers take those of its elements away where the stylesheet lays out its
 * rows in another way.
 * @param headingId the heading that names the table
 */
export function orderList(orders: readonly Order[], headingId: string, { language, site }: PageRequest): Html {
  const { texts } = language
  const headings = [texts.order, texts.date, texts.status, texts.total]
  return html`<table class="orders" role="table" aria-labelledby="${headingId}">
<thead role="rowgroup"><tr role="row">${headings.map((heading) => html`<th scope="col" role="columnheader">${heading}</th>`)}</tr></thead>
<tbody role="rowgroup">${orders.map(
    (order) => html`<tr role="row">
<th scope="row" role="rowheader"><a href="${site.path}/orders/${order.id}">${texts.orderNumber(String(order.number))}</a></th>
<td role="cell">${formatDate(order.createdAt, language)}</td>
<td role="cell">${orderStatusText(order.status, texts)}</td>
<td role="cell" class="amount">${formatMoney(order.totalAmount, order.currency, language)}</td>
</tr>`,
  )}</tbody>
</table>`
}

export function orderStatusText(status: OrderStatus, { orderStatus }: Texts): string {
  switch (status) {
    case OrderStatus.PARTIALLY_REFUNDED:
      return orderStatus.partiallyRefunded
    case OrderStatus.REFUNDED:
      return orderStatus.refunded
    case OrderStatus.CHARGED_BACK:
      return orderStatus.chargedBack
    default:
      return orderStatus.paid
  }
}
