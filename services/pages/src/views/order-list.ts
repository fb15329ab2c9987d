import { type Order, OrderStatus } from '@storekeep/proto/orders/v1/order'
import type { PageRequest } from '../http/route.ts'
import type { Texts } from '../texts/en.ts'
import { formatDate, formatMoney } from '../texts/format.ts'
import type { Html } from './html.ts'
import { recordTable } from './record-table.ts'

/** @param headingId the heading that names the table */
export function orderList(orders: readonly Order[], headingId: string, { language, site }: PageRequest): Html {
  const { texts } = language
  const headings = [texts.order, texts.date, texts.status, texts.total]
  const rows = orders.map((order) => ({
    href: `${site.path}/orders/${order.id}`,
    name: texts.orderNumber(String(order.number)),
    cells: [formatDate(order.createdAt, language), orderStatusText(order.status, texts)],
    amount: formatMoney(order.totalAmount, order.currency, language),
  }))
  return recordTable(headingId, headings, rows)
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
