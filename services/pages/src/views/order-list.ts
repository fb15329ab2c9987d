import { type Order, OrderStatus } from '@storekeep/proto/orders/v1/order'
import { html } from 'hono/html'
import type { PageRequest } from '../http/route.ts'
import type { Texts } from '../texts/en.ts'
import { formatDate, formatMoney } from '../texts/format.ts'
import type { Html } from './layout.ts'

export function orderList(orders: readonly Order[], { language, site }: PageRequest): Html {
  const { texts } = language
  return html`<table class="orders">
<thead><tr><th scope="col">${texts.orders}</th><th scope="col">${texts.date}</th><th scope="col">${texts.status}</th><th scope="col" class="amount">${texts.total}</th></tr></thead>
<tbody>${orders.map(
    (order) => html`<tr>
<td><a href="${site.path}/orders/${order.id}">${texts.orderNumber(String(order.number))}</a></td>
<td>${formatDate(order.createdAt, language)}</td>
<td>${orderStatusText(order.status, texts)}</td>
<td class="amount">${formatMoney(order.totalAmount, order.currency, language)}</td>
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
