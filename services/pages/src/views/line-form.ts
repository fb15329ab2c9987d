import type { CheckoutLine, CheckoutSession } from '@storekeep/proto/checkout/v1/checkout_session'
import { html } from 'hono/html'
import type { Texts } from '../texts/en.ts'
import type { Html } from './html.ts'

/** The form that changes the quantity of a line of an editable session, or removes the line unless it is the last one. */
export function lineForm(
  { name, quantity }: CheckoutLine,
  { session: { lines, version }, position, action, isInvalid, texts }: LineForm,
): Html {
  const id = `quantity-${position}`
  const ofProduct = html`<span class="visually-hidden"> (${name})</span>`
  return html`<form class="line-form" method="post" action="${action}" data-once>
<input type="hidden" name="position" value="${position}"><input type="hidden" name="version" value="${version}">
<label for="${id}">${texts.quantityLabel}${ofProduct}</label>
<input id="${id}" name="quantity" type="number" inputmode="numeric" min="1" max="1000" required value="${quantity}" aria-describedby="${id}-hint"${isInvalid ? html` aria-invalid="true" autofocus` : ''}>
<button class="quiet" type="submit">${texts.updateQuantity}${ofProduct}</button>
${lines.length > 1 ? html`<button class="quiet" type="submit" name="remove" value="true" formnovalidate>${texts.removeLine}${ofProduct}</button>` : ''}
<p class="hint${isInvalid ? ' invalid' : ''}" id="${id}-hint">${isInvalid ? texts.quantityUnavailable : ''}</p>
</form>`
}

interface LineForm {
  session: Pick<CheckoutSession, 'lines' | 'version'>
  /** Of the line in the session, starting at 1. */
  position: number
  /** Where the form is sent. */
  action: string
  /** Whether the quantity that the buyer entered is not available. */
  isInvalid: boolean
  texts: Texts
}
