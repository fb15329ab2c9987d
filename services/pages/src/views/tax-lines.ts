import type { Tax } from '@storekeep/proto/checkout/v1/checkout_session'
import { html } from 'hono/html'
import { formatMoney, formatRate } from '../texts/format.ts'
import type { Language } from '../texts/language.ts'
import type { Html } from './html.ts'

/** The tax that was added to the prices, above the total. Empty where none is charged. */
export function addedTaxLine(tax: Tax | undefined, currency: string, language: Language): Html | '' {
  if (!tax || tax.inclusive || tax.rate === 0) return ''
  return taxLine(taxLabel(tax, language), tax.taxAmount, currency, language)
}

/** The tax that the total contains, below it, and why a business is charged none. */
export function containedTaxLines(tax: Tax | undefined, currency: string, language: Language): Html | '' {
  if (!tax?.inclusive || tax.rate === 0) return ''
  const label = language.texts.tax.included(taxLabel(tax, language))
  return html`${taxLine(language.texts.tax.net, tax.netAmount, currency, language)}
${taxLine(label, tax.taxAmount, currency, language)}`
}

/** Why a business is charged no tax. */
export function reverseChargeNote(tax: Tax | undefined, { texts }: Language): Html | '' {
  return tax?.reverseCharge ? html`<p class="hint">${texts.tax.reverseCharge}</p>` : ''
}

function taxLabel({ name, rate }: Tax, language: Language): string {
  return language.texts.tax.withRate(name ?? language.texts.tax.name, formatRate(rate, language))
}

function taxLine(label: string, amount: bigint, currency: string, language: Language): Html {
  return html`<div><dt>${label}</dt><dd class="amount">${formatMoney(amount, currency, language)}</dd></div>`
}
