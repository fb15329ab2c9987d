import {
  type CustomVariable,
  type CustomVariableOption,
  CustomVariableType,
  PriceType,
} from '@storekeep/proto/custom_variables/v1/custom_variable'
import { Game, type Store } from '@storekeep/proto/stores/v1/store'
import { html, raw } from 'hono/html'
import type { PageRequest } from '../http/route.ts'
import type { ProductChoices } from '../store/catalog.ts'
import { productPath, storePath } from '../store/links.ts'
import { renderMarkdown } from '../store/markdown.ts'
import type { Problem } from '../store/problems.ts'
import { formatMoney } from '../texts/format.ts'
import type { Language } from '../texts/language.ts'
import { availability, priceOf, subscriptionPrice, taxHint } from './catalog-page.ts'
import type { Html } from './html.ts'
import { productImage } from './images.ts'
import { notice, timeIn } from './parts.ts'
import { problemText } from './problem-text.ts'

/** A product, and the form that puts it into the cart. */
export function productPage(page: ProductPage): Html {
  const { request, store, choices, problem, entered } = page
  const { language, site } = request
  const { texts } = language
  const { product } = choices
  const { name, imageUrl: url, label, description, enabledUntil } = product
  const isSoldOut = product.stockAvailable === 0n
  return html`<p class="links"><a class="quiet" href="${storePath(request, store)}">${texts.store.allProducts}</a></p>
<div class="columns">
<article class="card">
${productImage({ site, storeId: store.id, url, name, size: 'detail' })}
${description ? html`<div class="prose">${raw(renderMarkdown(description))}</div>` : ''}
</article>
<section class="card" aria-labelledby="product">
<h1 id="product">${name}</h1>
${label ? html`<p><span class="badge">${label}</span></p>` : ''}
<p class="price">${priceOf(product, store.currency, language)}</p>
${availability(product, language)}
${enabledUntil === undefined ? '' : html`<p class="hint">${timeIn(texts.store.saleEnds, enabledUntil, language)}</p>`}
${problem && !fieldOf(problem, choices) ? notice(problemText(problem, texts.store), 'error') : ''}
${entered.get('added') === '1' ? html`<div class="notice info" role="status"><p>${texts.store.added}</p><p class="links"><a href="${storePath(request, store, '/cart')}">${texts.store.viewCart}</a></p></div>` : ''}
${isSoldOut ? '' : purchaseForm(page)}
${taxHint(store, language)}
</section>
</div>`
}

export interface ProductPage {
  request: PageRequest
  store: Store
  choices: ProductChoices
  /** Why it could not be put into the cart. */
  problem: Problem | undefined
  /** What the shopper has entered before. */
  entered: URLSearchParams
}

function purchaseForm(page: ProductPage): Html {
  const { request, store, choices, problem, entered } = page
  const { texts } = request.language
  const { product, variables, gameServers } = choices
  const quantity = /^[1-9]\d{0,3}$/.test(entered.get('quantity') ?? '') ? entered.get('quantity') : '1'
  return html`<form method="post" action="${productPath(request, store, product)}" data-once>
${product.allowOneTimePurchase && product.allowSubscription ? purchaseTypes(page) : ''}
${variables.map((variable) => variableField(variable, page))}
${gameServers.length > 1 ? serverField(page) : ''}
${field({
  id: 'quantity',
  label: texts.store.quantity,
  problem: problem?.field === 'quantity' ? problemText(problem, texts.store) : undefined,
  input: (attributes) =>
    html`<input class="short" id="quantity" name="quantity" type="number" inputmode="numeric" min="1" max="${maxQuantity(page)}" required value="${quantity}"${attributes}>`,
})}
${product.isGiftingDisabled ? '' : giftField(page)}
<button class="button" type="submit">${texts.store.addToCart}</button>
</form>`
}

/** The field that a problem is about, if the page has it. */
function fieldOf({ field }: Problem, { variables, gameServers }: ProductChoices): string | undefined {
  if (field === 'quantity' || field === 'gift') return field
  if (field === 'server') return gameServers.length > 1 ? field : undefined
  return variables.some(({ identifier }) => variableFieldName(identifier) === field) ? field : undefined
}

function maxQuantity({ choices: { product } }: ProductPage): string {
  const { stockAvailable = maxUnits } = product
  return String(stockAvailable < maxUnits ? stockAvailable : maxUnits)
}

const maxUnits = 1000n

function purchaseTypes({ request, store, choices: { product }, entered }: ProductPage): Html {
  const { language } = request
  const { store: texts } = language.texts
  const isSubscription = entered.get('purchase') === 'subscription'
  const choice = (value: string, name: string, price: string, isChecked: boolean) =>
    html`<label class="choice"><input type="radio" name="purchase" value="${value}" required${isChecked ? html` checked` : ''}><span><span class="choice-name">${name}</span><span class="hint">${price}</span></span></label>`
  return html`<fieldset>
<legend>${texts.purchase}</legend>
${choice('once', texts.oneTime, formatMoney(product.price, store.currency, language), !isSubscription)}
${choice('subscription', language.texts.subscription, subscriptionPrice(product, store.currency, language), isSubscription)}
</fieldset>`
}

/** The field with the answer to a question. */
function variableField(variable: CustomVariable, page: ProductPage): Html {
  const { request, problem, entered } = page
  const { store: texts } = request.language.texts
  const { identifier, name, description, type, options } = variable
  const id = variableFieldName(identifier)
  const value = entered.get(id) ?? options.find(({ isDefault }) => isDefault)?.value ?? ''
  return field({
    id,
    label: name,
    hint: description,
    problem: problem?.field === id ? problemText(problem, texts) : undefined,
    input: (attributes) =>
      type === CustomVariableType.DROPDOWN
        ? html`<select id="${id}" name="${id}" required${attributes}>
${value === '' ? html`<option value="">${texts.choose}</option>` : ''}
${options.map((option) => html`<option value="${option.value}"${option.value === value ? html` selected` : ''}>${optionText(option, page)}</option>`)}
</select>`
        : html`<input id="${id}" name="${id}" value="${value}" required maxlength="1024" autocomplete="off"${type === CustomVariableType.NUMBER ? html` inputmode="decimal"` : ''}${attributes}>`,
  })
}

export function variableFieldName(identifier: string): string {
  return `answer-${identifier}`
}

/** "Large (+€1.00)" */
function optionText(
  { name, price, priceType }: CustomVariableOption,
  { request, store, choices }: ProductPage,
): string {
  const amount = priceType === PriceType.PERCENTAGE ? (choices.product.price * price) / 1000n : price
  if (amount === 0n) return name
  return `${name} (${amount > 0n ? '+' : ''}${formatMoney(amount, store.currency, request.language)})`
}

function serverField({ request, choices: { gameServers }, problem, entered }: ProductPage): Html {
  const { texts } = request.language
  const chosen = entered.get('server')
  return field({
    id: 'server',
    label: texts.gameServer,
    problem: problem?.field === 'server' ? problemText(problem, texts.store) : undefined,
    input: (attributes) => html`<select id="server" name="server" required${attributes}>
${gameServers.map(({ id, name }) => html`<option value="${id}"${id === chosen ? html` selected` : ''}>${name}</option>`)}
</select>`,
  })
}

/** Closed until the shopper wants to buy a gift. */
function giftField({ request, store, problem, entered }: ProductPage): Html {
  const { store: texts } = request.language.texts
  const value = entered.get('gift') ?? ''
  const isInvalid = problem?.field === 'gift'
  const { label, hint } = accountTexts(store, request.language)
  return html`<details${value !== '' || isInvalid ? html` open` : ''}>
<summary>${texts.gift}</summary>
${field({
  id: 'gift',
  label,
  hint: isInvalid ? undefined : hint,
  problem: isInvalid ? problemText(problem, texts) : undefined,
  input: (attributes) =>
    html`<input id="gift" name="gift" value="${value}" maxlength="64" autocomplete="off" autocapitalize="none" spellcheck="false"${attributes}>`,
})}
</details>`
}

/** How the players of a store are named. */
function accountTexts({ game }: Store, { texts: { store } }: Language): { label: string; hint: string } {
  return { label: game === Game.RUST ? store.giftSteam : store.giftMinecraft, hint: store.giftHint }
}

export function field({ id, label, hint, problem, input }: Field): Html {
  const described = problem ?? hint
  const attributes = html`${described ? html` aria-describedby="${id}-hint"` : ''}${problem === undefined ? '' : html` aria-invalid="true" autofocus`}`
  return html`<div class="field">
<label for="${id}">${label}</label>
${input(attributes)}
${described ? html`<p class="hint${problem === undefined ? '' : ' invalid'}" id="${id}-hint">${described}</p>` : ''}
</div>`
}

interface Field {
  id: string
  label: string
  hint?: string | undefined
  /** What is wrong with its value. */
  problem?: string | undefined
  /** @param attributes that connect it with its description */
  input(attributes: Html): Html
}
