import type { CheckoutLine, CheckoutSession, SubscriptionTerms } from '@storekeep/proto/checkout/v1/checkout_session'
import { taxAmounts } from '@storekeep/proto/conventions/tax-amounts'
import type { Profile } from '@storekeep/proto/customers/v1/customer'
import type { GameServer } from '@storekeep/proto/delivery/v1/game_server'
import { PaymentProvider } from '@storekeep/proto/orders/v1/payment'
import { html } from 'hono/html'
import type { Stage } from '../checkout/checkout-stage.ts'
import { checkoutPath, type Notice } from '../checkout/links.ts'
import { type Checkout, isFree } from '../checkout/load-checkout.ts'
import type { PageRequest } from '../http/route.ts'
import type { Texts } from '../texts/en.ts'
import { formatEvery, formatList, formatMoney } from '../texts/format.ts'
import type { Language } from '../texts/language.ts'
import { buyerView } from './buyer.ts'
import { couponForm } from './coupon-form.ts'
import { gameServerField, paymentFormId } from './game-server-field.ts'
import type { Html } from './html.ts'
import { lineForm } from './line-form.ts'
import { type LineNames, notice as noticeView, orderLines, timeIn, totals } from './parts.ts'
import { taxFields } from './tax-fields.ts'

/** The order and the form that pays it. */
export function checkoutForm({
  request,
  checkout,
  buyer,
  methods,
  names,
  gameServers,
  notice,
  about,
  stage,
  ipCountry,
}: CheckoutForm): Html {
  const { language, site } = request
  const { texts } = language
  const { session } = checkout
  const { currency, storeId } = session
  const needsNoMethod = isFree(checkout)
  // While a manual payment is processing, the shopper may have sent the money.
  const canChange = stage !== 'manual'
  const canPay = needsNoMethod || methods.length > 0
  // The Enter key presses the first button of a form, which must pay. So a hidden one precedes the button of the tax fields.
  const taxes = needsNoMethod || !canChange ? '' : taxFields(request, checkout, notice, ipCountry)
  return html`<h1>${texts.checkout}</h1>
${stage === 'declined' && notice === undefined ? noticeView(texts.declined, 'error') : ''}
${stage === 'refunded-open' ? noticeView(texts.refundedOpen, 'info') : ''}
${noticeText(notice, texts)}
${purchaseNotice(notice, about, session.lines, names.recipients, language)}
<div class="columns">
<section class="card" aria-labelledby="order" id="order-section">
<h2 id="order">${texts.yourOrder}</h2>
${buyer === undefined ? '' : buyerView(buyer, session, request)}
${orderLines({
  lines: session.lines,
  currency,
  language,
  names,
  images: { site, storeId },
  fields: (line, index) => {
    const position = index + 1
    const isInvalid = notice === 'server-unavailable' && about?.position === position
    return gameServerField(line, { position, gameServers, isInvalid, texts })
  },
  actions: (line, index) => {
    if (!session.editable || !canChange) return undefined
    const position = index + 1
    const isInvalid = notice === 'quantity-unavailable' && about?.position === position
    return lineForm(line, { session, position, action: checkoutPath(request, checkout, '/lines'), isInvalid, texts })
  },
})}
${canChange ? couponForm(request, checkout, notice) : ''}
${totals(session, language)}
${session.subscription ? html`<p class="hint">${renewalText(session, session.subscription, language)}</p>` : ''}
</section>
<section class="card" aria-labelledby="payment" id="pay">
<h2 id="payment">${needsNoMethod ? texts.completeFree : texts.paymentMethod}</h2>
${
  canPay
    ? html`<form id="${paymentFormId}" method="post" action="${checkoutPath(request, checkout, '/pay')}" data-once>
${taxes === '' ? '' : html`<button class="visually-hidden" type="submit" tabindex="-1" aria-hidden="true">${texts.checkout}</button>`}
<input type="hidden" name="total" value="${session.totalAmount}">
${emailField(checkout, texts, notice)}
${taxes}
${needsNoMethod ? '' : methodFields(methods, texts)}
<button class="button" type="submit">${needsNoMethod ? texts.completeFree : texts.pay(formatMoney(session.totalAmount, currency, language))}</button>
</form>`
    : html`<p>${texts.noMethods}</p>`
}
<p class="hint">${timeIn(texts.expiresAt, session.expiresAt, language)}</p>
${session.cancelUrl === undefined ? '' : html`<p class="links"><a class="quiet" href="${session.cancelUrl}" rel="noreferrer">${texts.cancel}</a></p>`}
</section>
</div>`
}

/** What the subscription costs in the long run: without a coupon that ends, and with the tax of its first period. */
function renewalText(
  { lines, currency, couponId, tax }: CheckoutSession,
  terms: SubscriptionTerms,
  language: Language,
): string {
  const isDiscounted = couponId !== undefined && terms.discountedPeriods === undefined
  const prices = lines
    .filter((line) => line.subscription)
    .map((line) => line.unitPrice * BigInt(line.quantity) - (isDiscounted ? line.discountAmount : 0n))
  const rate = tax && !tax.inclusive ? tax.rate : 0
  const price = taxAmounts(prices, { rate, inclusive: false }).reduce(
    (sum, { netAmount, taxAmount }) => sum + netAmount + taxAmount,
    0n,
  )
  return language.texts.renews(formatMoney(price, currency, language), formatEvery(terms, language))
}

interface CheckoutForm {
  request: PageRequest
  checkout: Checkout
  /** Undefined once the customer was deleted. */
  buyer: Profile | undefined
  methods: readonly PaymentProvider[]
  names: LineNames
  /** All game servers of the store. Empty if no line has one, or if the delivery service is unavailable. */
  gameServers: readonly GameServer[]
  notice: Notice | undefined
  /** The line that the notice is about. */
  about: NoticeLine | undefined
  stage: Stage
  /** The country of the shopper's address; undefined if unknown. */
  ipCountry: string | undefined
}

/** The line that a notice is about. */
export interface NoticeLine {
  /** Of the line in the session, starting at 1. */
  position: number
  /** The products that its product requires; only with the notice `product-required`. */
  required?: { names: readonly string[]; all: boolean }
}

function noticeText(notice: Notice | undefined, texts: Texts): Html | '' {
  switch (notice) {
    case 'method':
      return noticeView(texts.methodMissing, 'error')
    case 'total':
      return noticeView(texts.totalChanged, 'error')
    case 'banned':
      return noticeView(texts.banned, 'error')
    case 'canceled':
      return noticeView(texts.paymentCanceled, 'info')
    case 'lines-changed':
      return noticeView(texts.linesChanged, 'info')
    case 'coupon-dropped':
      return noticeView(texts.couponDropped, 'info')
    case 'lines-busy':
      return noticeView(texts.linesBusy, 'error')
    default:
      return ''
  }
}

/** Why the products that the recipient of a line owns forbid its purchase. */
function purchaseNotice(
  notice: Notice | undefined,
  about: NoticeLine | undefined,
  lines: readonly CheckoutLine[],
  recipients: ReadonlyMap<string, string>,
  language: Language,
): Html | '' {
  const line = about && lines[about.position - 1]
  if (!line) return ''
  const { texts } = language
  const { name, giftToCustomerId: id } = line
  const recipient = id === undefined ? undefined : (recipients.get(id) ?? id)
  if (notice === 'product-owned') {
    return noticeView(
      recipient === undefined ? texts.alreadyOwned(name) : texts.giftAlreadyOwned(name, recipient),
      'error',
    )
  }
  if (notice !== 'product-required') return ''
  const { names = [], all = true } = about.required ?? {}
  const others =
    names.length === 0 ? texts.otherProducts : formatList(names, language, all ? 'conjunction' : 'disjunction')
  return noticeView(
    recipient === undefined ? texts.requires(name, others) : texts.giftRequires(name, others, recipient),
    'error',
  )
}

function emailField({ session }: Checkout, texts: Texts, notice: Notice | undefined): Html {
  const isInvalid = notice === 'email'
  return html`<div class="field">
<label for="email">${texts.billingEmail}</label>
<input id="email" name="email" type="email" autocomplete="email" required maxlength="254" value="${session.customerDetails?.billingEmail ?? ''}" aria-describedby="email-hint"${isInvalid ? html` aria-invalid="true" autofocus` : ''}>
<p class="hint${isInvalid ? ' invalid' : ''}" id="email-hint">${isInvalid ? texts.billingEmailInvalid : texts.billingEmailHint}</p>
</div>`
}

function methodFields(methods: readonly PaymentProvider[], texts: Texts): Html {
  return html`<fieldset>
<legend class="visually-hidden">${texts.paymentMethod}</legend>
${methods.map((method, index) => {
  const { value, label, hint } = describeMethod(method, texts)
  return html`<label class="choice"><input type="radio" name="method" value="${value}" required${index === 0 ? html` checked` : ''}><span><span class="choice-name">${label}</span><span class="hint">${hint}</span></span></label>`
})}
</fieldset>`
}

/** The name of a method in forms, and its texts. */
export function describeMethod(method: PaymentProvider, texts: Texts): { value: string; label: string; hint: string } {
  switch (method) {
    case PaymentProvider.TEST:
      return { value: 'test', label: texts.methodTest, hint: texts.methodTestHint }
    case PaymentProvider.MANUAL:
      return { value: 'manual', label: texts.methodManual, hint: texts.methodManualHint }
    case PaymentProvider.STRIPE:
      return { value: 'stripe', label: texts.methodStripe, hint: texts.methodStripeHint }
    default:
      return { value: 'free', label: texts.methodFree, hint: '' }
  }
}
