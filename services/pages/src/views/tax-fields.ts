import { TaxIdCheck } from '@storekeep/proto/checkout/v1/checkout_session'
import { countryCodes } from '@storekeep/proto/conventions/countries'
import { TaxMode } from '@storekeep/proto/stores/v1/store'
import { html } from 'hono/html'
import { checkoutPath, type Notice } from '../checkout/links.ts'
import type { Checkout } from '../checkout/load-checkout.ts'
import type { PageRequest } from '../http/route.ts'
import { countryNames } from '../texts/format.ts'
import type { Html } from './html.ts'

/**
 * The fields for the country and the tax id in the form that pays, in a store that charges taxes. Their button submits only them; with
 * script, a change does.
 * @param ipCountry the country of the shopper's address, which is chosen until the shopper chooses another one
 */
export function taxFields(
  request: PageRequest,
  checkout: Checkout,
  notice: Notice | undefined,
  ipCountry: string | undefined,
): Html | '' {
  const { session, store } = checkout
  const { language } = request
  const { tax: texts } = language.texts
  const isTaxed = store.tax?.mode === TaxMode.INCLUSIVE || store.tax?.mode === TaxMode.EXCLUSIVE
  if (!isTaxed) return ''
  const { tax, customerDetails } = session
  const chosen = customerDetails?.billingAddress?.country || tax?.country || ipCountry || ''
  const problem = taxIdProblem(tax?.evidence?.taxIdCheck, texts)
  const isMissing = notice === 'country'
  return html`<div class="field">
<label for="country">${texts.country}</label>
<select id="country" name="country" autocomplete="country" required data-tax="${chosen === (tax?.country ?? '') ? '' : 'changed'}" aria-describedby="country-hint"${isMissing ? html` aria-invalid="true" autofocus` : ''}>
<option value="">${texts.chooseCountry}</option>
${countryOptions(language.locale, chosen)}
</select>
<p class="hint${isMissing ? ' invalid' : ''}" id="country-hint">${isMissing ? texts.countryMissing : texts.countryHint}</p>
</div>
<div class="field">
<label for="tax-id">${texts.taxId}</label>
<div class="joined"><input id="tax-id" name="tax_id" value="${customerDetails?.billingTaxId ?? ''}" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="64" data-tax aria-describedby="tax-id-hint"${problem === undefined ? '' : html` aria-invalid="true"`}><button class="button secondary" formaction="${checkoutPath(request, checkout, '/tax')}" formnovalidate data-tax-update>${texts.update}</button></div>
<p class="hint${problem === undefined ? '' : ' invalid'}" id="tax-id-hint">${problem ?? (notice === 'tax-busy' ? texts.busy : texts.taxIdHint)}</p>
</div>`
}

function taxIdProblem(check: TaxIdCheck | undefined, texts: PageRequest['language']['texts']['tax']) {
  if (check === TaxIdCheck.INVALID) return texts.taxIdInvalid
  return check === TaxIdCheck.UNCONFIRMED ? texts.taxIdUnconfirmed : undefined
}

function countryOptions(locale: string, chosen: string): Html[] {
  return countryNames(locale, countryCodes).map(
    ([code, name]) => html`<option value="${code}"${code === chosen ? html` selected` : ''}>${name}</option>`,
  )
}
