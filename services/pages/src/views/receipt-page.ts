import { billingLines } from '@storekeep/proto/conventions/billing-lines'
import type { Order } from '@storekeep/proto/orders/v1/order'
import type { Store } from '@storekeep/proto/stores/v1/store'
import { html } from 'hono/html'
import { formatDate } from '../texts/format.ts'
import type { Language } from '../texts/language.ts'
import { describeMethod } from './checkout-form.ts'
import type { Html } from './html.ts'
import { orderStatusText } from './order-list.ts'
import { type LineNames, type Link, orderLines, totals } from './parts.ts'
import { sellerView } from './seller.ts'

/** @param back the page that links to the receipt */
export function receiptPage(
  order: Order,
  names: LineNames,
  store: Pick<Store, 'name' | 'seller'>,
  language: Language,
  back: Link,
): Html {
  const { texts } = language
  const { billingDetails, payment } = order
  const billed = [...billingLines(billingDetails), billingDetails?.billingEmail].filter(Boolean)
  return html`<p class="links screen"><a class="quiet" href="${back.href}">${back.label}</a></p>
<article class="card receipt">
<h1>${texts.receipt(String(order.number))}</h1>
<p class="receipt-store">${store.name}</p>
<dl class="facts">
${order.invoiceNumber === undefined ? '' : html`<div><dt>${texts.tax.invoice}</dt><dd>${order.invoiceNumber}</dd></div>`}
<div><dt>${texts.date}</dt><dd>${formatDate(order.createdAt, language)}</dd></div>
<div><dt>${texts.status}</dt><dd>${orderStatusText(order.status, texts)}</dd></div>
${payment ? html`<div><dt>${texts.paidWith}</dt><dd>${describeMethod(payment.provider, texts).label}</dd></div>` : ''}
${sellerView(store, language)}
${billed.length > 0 ? html`<div><dt>${texts.billedTo}</dt><dd>${billed.map((line) => html`<span class="address-line">${line}</span>`)}</dd></div>` : ''}
</dl>
${orderLines({ lines: order.lines, currency: order.currency, language, names })}
${totals(order, language)}
</article>
<p class="hint screen">${texts.printHint}</p>`
}
