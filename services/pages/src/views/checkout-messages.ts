import { PaymentProvider } from '@storekeep/proto/orders/v1/payment'
import { html } from 'hono/html'
import type { PayableStage, Stage } from '../checkout/checkout-stage.ts'
import { checkoutPath, noticeOf } from '../checkout/links.ts'
import type { Checkout } from '../checkout/load-checkout.ts'
import type { Delivery } from '../delivery/load-delivery.ts'
import type { PageRequest } from '../http/route.ts'
import { formatMoney } from '../texts/format.ts'
import type { Language } from '../texts/language.ts'
import type { Html } from './html.ts'
import type { Page } from './layout.ts'
import { nextSteps } from './next-steps.ts'
import { type LineNames, type Link, message, notice, orderLines, totals } from './parts.ts'

type MessagePage = Pick<Page, 'title' | 'content' | 'pollSeconds'>

/**
 * The page of a checkout that cannot be paid, or no longer needs a payment.
 * @param purchase only with the stage `success`
 */
export function checkoutMessage(
  stage: Exclude<Stage, PayableStage>,
  checkout: Checkout,
  request: PageRequest,
  purchase: Purchase | undefined,
): MessagePage {
  const { language } = request
  const { texts } = language
  const { session, store, state } = checkout
  const back: Link[] =
    session.returnUrl === undefined ? [] : [{ href: session.returnUrl, label: texts.backTo(store.name) }]
  const cancel: Link[] =
    session.cancelUrl === undefined ? back : [{ href: session.cancelUrl, label: texts.backTo(store.name) }]
  const again: Link = { href: checkoutPath(request, checkout), label: texts.checkAgain }
  const closing = back.length > 0 ? undefined : html`<p class="screen">${texts.closePage}</p>`
  switch (stage) {
    case 'success': {
      const { order } = state
      if (!order || !purchase) throw new Error('A success has an order')
      const { recipients, delivery, nowMs } = purchase
      const view = { language, viewerId: session.customerId, recipients, nowMs }
      const next = nextSteps(order, delivery, view)
      const paidBefore = noticeOf(request.query) === 'paid'
      const details = html`${paidBefore ? notice(texts.alreadyPaidNotice, 'info') : ''}
<p class="order-number">${texts.orderNumber(String(order.number))}</p>
${next.content ?? ''}
${summary(checkout, request, { recipients, serverNames: delivery?.serverNames ?? new Map() })}
${closing ?? ''}`
      return {
        ...page(texts.successTitle, texts.successText, {
          details,
          links: [
            ...back,
            { href: checkoutPath(request, checkout, '/receipt'), label: texts.viewReceipt },
            ...(next.pollSeconds === undefined ? [] : [again]),
          ],
        }),
        pollSeconds: next.pollSeconds,
      }
    }
    case 'finishing':
      return { ...page(texts.finishingTitle, texts.finishingText, { links: [again] }), pollSeconds: 2 }
    case 'processing':
      return {
        ...page(texts.processingTitle, texts.processingText, {
          links: [...testLinks(checkout, request), ...back, again],
        }),
        pollSeconds: 15,
      }
    case 'manual': {
      const { amount: due = session.totalAmount, currency = session.currency } = state.payment ?? {}
      const amount = formatMoney(due, currency, language)
      const details = html`<p class="instructions">${state.instructions ?? ''}</p>
<dl class="facts"><div><dt>${texts.total}</dt><dd>${amount}</dd></div><div><dt>${texts.manualReference}</dt><dd>${session.id}</dd></div></dl>`
      const other = { href: `${checkoutPath(request, checkout)}&choose=1`, label: texts.otherMethod }
      return page(texts.manualTitle, texts.manualText, { details, links: [...back, other] })
    }
    case 'already-paid':
      return page(texts.alreadyPaidTitle, texts.alreadyPaidText, { details: closing, links: back })
    case 'canceled':
      return page(texts.canceledTitle, texts.canceledText, { links: cancel })
    case 'expired':
      return page(texts.expiredTitle, texts.expiredText, { links: cancel })
    case 'refunded':
      return page(texts.refundedTitle, texts.refundedText, { links: cancel })
  }
}

/** What the success page shows besides the session. */
export interface Purchase {
  /** Names of gift recipients, by id. */
  recipients: ReadonlyMap<string, string>
  /** The items of the order. Undefined if the delivery service is unavailable. */
  delivery: Delivery | undefined
  /** Unix time in milliseconds. */
  nowMs: number
}

export function unknownCheckout({ texts }: Language): MessagePage {
  return page(texts.unknownTitle, texts.unknownText, {})
}

function page(title: string, text: string, rest: { details?: Html | undefined; links?: readonly Link[] }): MessagePage {
  return { title, content: message({ title, text, ...rest }) }
}

function summary({ session }: Checkout, { language, site }: PageRequest, names: LineNames): Html {
  const { storeId, lines, currency } = session
  return html`${orderLines({ lines, currency, language, names, images: { site, storeId } })}${totals(session, language)}`
}

function testLinks(checkout: Checkout, request: PageRequest): Link[] {
  if (checkout.state.payment?.provider !== PaymentProvider.TEST) return []
  return [{ href: checkoutPath(request, checkout, '/test-payment'), label: request.language.texts.testTitle }]
}
