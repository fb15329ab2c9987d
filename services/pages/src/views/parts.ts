import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt'
import type { CheckoutLine, Tax } from '@storekeep/proto/checkout/v1/checkout_session'
import { html } from 'hono/html'
import { formatCount, formatMoney, formatTime } from '../texts/format.ts'
import type { Language } from '../texts/language.ts'
import type { Html } from './html.ts'
import { type ProductImage, productImage } from './images.ts'
import { addedTaxLine, containedTaxLines, reverseChargeNote } from './tax-lines.ts'

/** A message, with links to continue. */
export function message({ title, text, details, form, links = [] }: Message): Html {
  return html`<section class="card message">
<h1>${title}</h1>
<p>${text}</p>
${details ?? ''}
${form ?? ''}
${links.length > 0 ? html`<p class="links">${links.map(({ href, label }, index) => html`<a class="${index === 0 && !form ? 'button' : 'quiet'}" href="${href}" rel="noreferrer">${label}</a>`)}</p>` : ''}
</section>`
}

export interface Message {
  title: string
  text: string
  details?: Html | undefined
  /** With the primary button of the page. Without it, the first link is the primary one. */
  form?: Html | undefined
  links?: readonly Link[]
}

export interface Link {
  href: string
  label: string
}

export function notice(text: string, kind: 'error' | 'info'): Html {
  return html`<p class="notice ${kind}" role="${kind === 'error' ? 'alert' : 'status'}">${text}</p>`
}

/** A text around a time in UTC, which `local-time.js` shows in the time zone of the browser. */
export function timeIn(text: (time: string) => string, time: Timestamp | undefined, language: Language): Html | '' {
  if (time === undefined) return ''
  const shown = formatTime(time, language)
  const [before = '', after = ''] = text(shown).split(shown)
  return html`${before}<time datetime="${timestampDate(time).toISOString()}" lang="${language.locale}">${shown}</time>${after}`
}

/** The lines of an order. */
export function orderLines({ lines, currency, language, names, images, fields, actions }: OrderLines): Html {
  return html`<ul class="lines">${lines.map((line, index) => {
    const field = fields?.(line, index)
    const details = html`${lineDetails(line, { currency, language, names, field })}${actions?.(line, index) ?? ''}`
    if (images === undefined) return html`<li>${details}</li>`
    const { name, imageUrl: url } = line
    return html`<li class="pictured">${productImage({ ...images, url, name, size: 'line' })}<div>${details}</div></li>`
  })}</ul>`
}

interface OrderLines {
  lines: readonly CheckoutLine[]
  currency: string
  language: Language
  names: LineNames
  /** Where the images are. Undefined for documents without images. */
  images?: Pick<ProductImage, 'site' | 'storeId'>
  /** The field with which the shopper chooses the game server of a line, by its index, in place of the server's name. */
  fields?: (line: CheckoutLine, index: number) => Html | undefined
  /** The form that changes a line, by its index. */
  actions?: (line: CheckoutLine, index: number) => Html | undefined
}

function lineDetails(
  line: CheckoutLine,
  {
    currency,
    language,
    names: { recipients, serverNames },
    field,
  }: Omit<OrderLines, 'lines'> & { field: Html | undefined },
): Html {
  const { texts } = language
  const { quantity, unitPrice, optionsAmount, giftToCustomerId: id } = line
  const money = (amount: bigint) => formatMoney(amount, currency, language)
  const server = serverNames.get(line.selectedGameserverId ?? '')
  const count = `${formatCount(quantity, language)}${quantity === 1 ? '' : ` × ${money(unitPrice)}`}`
  return html`<div class="line"><span class="line-name">${line.name}</span><span class="amount">${money(unitPrice * BigInt(quantity))}</span></div>
<p class="line-note">${texts.quantity(count)}${line.subscription ? ` · ${texts.subscription}` : ''}</p>
${answersOf(line).map(([name, value]) => html`<p class="line-note">${name}: ${value}</p>`)}
${optionsAmount === 0n ? '' : html`<p class="line-note">${texts.options(`${optionsAmount > 0n ? '+' : ''}${money(optionsAmount)}`)}</p>`}
${id === undefined ? '' : html`<p class="line-note">${texts.giftFor(recipients.get(id) ?? id)}</p>`}
${field ?? (server === undefined ? '' : html`<p class="line-note">${texts.server(server)}</p>`)}`
}

export interface LineNames {
  /** Names of gift recipients, by id. Without a name, the id is shown. */
  recipients: ReadonlyMap<string, string>
  /** Names of game servers, by id. Unknown ones are omitted. */
  serverNames: ReadonlyMap<string, string>
}

/**
 * The answers of the buyer, by the names that the variables and options had when the session was created. Sessions that the previous
 * release created have no names.
 */
function answersOf({ customVariables, answeredVariables }: CheckoutLine): [name: string, value: string][] {
  const known = new Map(answeredVariables.map((variable) => [variable.identifier, variable]))
  const identifiers = new Set([...known.keys(), ...Object.keys(customVariables).sort()])
  return [...identifiers].map((identifier) => {
    const { name = identifier, optionName } = known.get(identifier) ?? {}
    return [name, optionName ?? customVariables[identifier] ?? '']
  })
}

/** The amounts of a session or an order. */
export function totals(amounts: Amounts, language: Language): Html {
  const { texts } = language
  const { couponCode } = amounts
  const addedTax = addedTaxLine(amounts.tax, amounts.currency, language)
  const row = (label: string, amount: bigint, kind = '') =>
    html`<div class="${kind}"><dt>${label}</dt><dd class="amount">${formatMoney(amount, amounts.currency, language)}</dd></div>`
  return html`<dl class="totals">
${amounts.discountAmount === 0n && addedTax === '' ? '' : row(texts.subtotal, amounts.subtotalAmount)}
${amounts.couponDiscountAmount === 0n && !couponCode ? '' : row(couponCode ? texts.couponWithCode(couponCode) : texts.couponDiscount, -amounts.couponDiscountAmount)}
${amounts.affiliateDiscountAmount === 0n ? '' : row(texts.creatorDiscount, -amounts.affiliateDiscountAmount)}
${addedTax}
${row(texts.total, amounts.totalAmount, 'total')}
${containedTaxLines(amounts.tax, amounts.currency, language)}
${amounts.refundedAmount ? row(texts.refundedAmount, -amounts.refundedAmount) : ''}
</dl>
${reverseChargeNote(amounts.tax, language)}`
}

interface Amounts {
  currency: string
  subtotalAmount: bigint
  couponDiscountAmount: bigint
  couponCode?: string | undefined
  tax?: Tax | undefined
  affiliateDiscountAmount: bigint
  discountAmount: bigint
  totalAmount: bigint
  refundedAmount?: bigint
}
