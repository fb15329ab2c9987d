import { html } from 'hono/html'
import { checkoutPath, type Notice } from '../checkout/links.ts'
import type { Checkout } from '../checkout/load-checkout.ts'
import type { PageRequest } from '../http/route.ts'
import type { Texts } from '../texts/en.ts'
import type { Html } from './html.ts'

/** The form that applies a coupon, or removes the applied coupon. */
export function couponForm(request: PageRequest, checkout: Checkout, notice: Notice | undefined): Html {
  const { texts } = request.language
  const { couponId } = checkout.session
  const action = checkoutPath(request, checkout, '/coupon')
  const feedback = feedbackOf(notice, couponId !== undefined, texts)
  const hint = html`<p class="hint${feedback?.isError ? ' invalid' : ''}" id="coupon-hint">${feedback?.text ?? ''}</p>`
  if (couponId !== undefined) {
    return html`<form class="coupon" method="post" action="${action}" data-coupon data-once>
<button class="quiet" name="remove" value="true" aria-describedby="coupon-hint">${texts.couponRemove}</button>
${hint}
</form>`
  }
  const code = feedback?.isError ? (request.query.get('code') ?? '').slice(0, 64) : ''
  return html`<form class="coupon field" method="post" action="${action}" data-coupon data-once>
<label for="code">${texts.couponCode}</label>
<div class="joined"><input id="code" name="code" value="${code}" autocomplete="off" autocapitalize="characters" spellcheck="false" required maxlength="64" aria-describedby="coupon-hint"${feedback?.isError ? html` aria-invalid="true" autofocus` : ''}><button class="button secondary">${texts.couponApply}</button></div>
${hint}
</form>`
}

/** A notice that does not fit the session is outdated, such as after the back button. */
function feedbackOf(notice: Notice | undefined, isApplied: boolean, texts: Texts): Feedback | undefined {
  switch (notice) {
    case 'coupon-applied':
      return isApplied ? { text: texts.couponApplied, isError: false } : undefined
    case 'coupon-removed':
      return isApplied ? undefined : { text: texts.couponRemoved, isError: false }
    case 'coupon-unknown':
      return { text: texts.couponUnknown, isError: true }
    case 'coupon-expired':
      return { text: texts.couponExpired, isError: true }
    case 'coupon-used-up':
      return { text: texts.couponUsedUp, isError: true }
    case 'coupon-out-of-scope':
      return { text: texts.couponOutOfScope, isError: true }
    case 'coupon-minimum':
      return { text: texts.couponMinimum, isError: true }
    case 'coupon-busy':
      return { text: texts.couponBusy, isError: true }
    default:
      return undefined
  }
}

interface Feedback {
  text: string
  isError: boolean
}
