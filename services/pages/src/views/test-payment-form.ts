import { type Payment, PaymentStatus } from '@storekeep/proto/orders/v1/payment'
import { html } from 'hono/html'
import { checkoutPath, noticeOf } from '../checkout/links.ts'
import type { Checkout } from '../checkout/load-checkout.ts'
import type { PageRequest } from '../http/route.ts'
import type { Texts } from '../texts/en.ts'
import { formatMoney } from '../texts/format.ts'
import type { Html } from './html.ts'
import { notice } from './parts.ts'

export type Decision = 'approve' | 'decline' | 'delay' | 'charge-back'

export function testPaymentForm(
  payment: Payment,
  decisions: readonly Decision[],
  checkout: Checkout,
  request: PageRequest,
): Html {
  const { language } = request
  const { texts } = language
  const labels: Record<Decision, string> = {
    approve: texts.testApprove,
    decline: texts.testDecline,
    delay: texts.testDelay,
    'charge-back': texts.testChargeBack,
  }
  return html`<section class="card message">
<h1>${texts.testTitle}</h1>
${noticeOf(request.query) === 'test-rejected' ? notice(texts.testRejected, 'error') : ''}
<p>${texts.testText(formatMoney(payment.amount, payment.currency, language))}</p>
<dl class="facts"><div><dt>${texts.testStatus}</dt><dd>${statusText(payment.status, texts)}</dd></div></dl>
${
  decisions.length === 0
    ? ''
    : html`<form class="decisions" method="post" action="${checkoutPath(request, checkout, '/test-payment')}" data-once>
${decisions.map((decision, index) => html`<button class="button${index === 0 ? '' : ' secondary'}" name="decision" value="${decision}">${labels[decision]}</button>`)}
</form>`
}
<p class="links"><a class="quiet" href="${checkoutPath(request, checkout)}">${texts.testBack}</a></p>
</section>`
}

function statusText(status: PaymentStatus, { paymentStatus }: Texts): string {
  switch (status) {
    case PaymentStatus.PROCESSING:
      return paymentStatus.processing
    case PaymentStatus.SUCCEEDED:
      return paymentStatus.succeeded
    case PaymentStatus.FAILED:
      return paymentStatus.failed
    case PaymentStatus.CANCELED:
      return paymentStatus.canceled
    default:
      return paymentStatus.pending
  }
}
