import type { Cart, CartLine, CartLineInput } from '@storekeep/proto/checkout/v1/carts_service'
import type { CustomVariable } from '@storekeep/proto/custom_variables/v1/custom_variable'
import type { Store } from '@storekeep/proto/stores/v1/store'
import { html } from 'hono/html'
import type { PageRequest } from '../http/route.ts'
import { lineKey } from '../store/cart.ts'
import { productPath, storePath, withQuery } from '../store/links.ts'
import { type Problem, problemAt } from '../store/problems.ts'
import { formatMoney } from '../texts/format.ts'
import { taxHint } from './catalog-page.ts'
import type { Html } from './html.ts'
import { productImage } from './images.ts'
import { message, notice } from './parts.ts'
import { problemText } from './problem-text.ts'

/** The lines of a cart with their current prices, and the form that leads to the checkout. */
export function cartPage(page: CartPage): Html {
  const { request, store, cart, problem } = page
  const { texts } = request.language
  const { store: shop } = texts
  const home = { href: storePath(request, store), label: shop.continueShopping }
  if (cart === undefined) {
    const href = withQuery(storePath(request, store, '/sign-in'), { back: storePath(request, store, '/cart') })
    return message({ title: shop.cart, text: shop.cartSignIn, links: [{ href, label: shop.signIn }, home] })
  }
  if (cart.lines.length === 0) return message({ title: shop.cart, text: shop.cartEmpty, links: [home] })
  const isBuyable = cart.lines.every((line) => line.problem === undefined)
  return html`<h1>${shop.cart}</h1>
${problem ? notice(problemText(problem, shop), 'error') : ''}
<section class="card" aria-label="${shop.cart}">
<ul class="lines">${cart.lines.map((line) => cartLine(line, cart, page))}</ul>
<dl class="totals"><div class="total"><dt>${texts.subtotal}</dt><dd class="amount">${formatMoney(cart.subtotalAmount, cart.currency, request.language)}</dd></div></dl>
${taxHint(store, request.language)}
${
  isBuyable
    ? html`<form method="post" action="${storePath(request, store, '/cart/checkout')}" data-once>
<button class="button" type="submit" aria-describedby="check-out-hint">${shop.checkOut}</button>
<p class="hint" id="check-out-hint">${shop.checkOutHint}</p>
</form>`
    : ''
}
<p class="links"><a class="quiet" href="${home.href}">${home.label}</a></p>
</section>`
}

export interface CartPage {
  request: PageRequest
  store: Store
  /** Undefined without a session. */
  cart: Cart | undefined
  details: LineDetails
  /** Why a change was not possible. */
  problem: Problem | undefined
}

/** What lines refer to by id or identifier. */
export interface LineDetails {
  variables: readonly CustomVariable[]
  serverNames: ReadonlyMap<string, string>
  /** Names of customers who receive gifts. */
  recipients: ReadonlyMap<string, string>
}

function cartLine(line: CartLine, { currency }: Cart, page: CartPage): Html | '' {
  const { request, store } = page
  const { language, site } = request
  const { store: texts } = language.texts
  const { input, name, imageUrl: url, slug, unitPrice, totalAmount, problem } = line
  if (!input) return ''
  const title = name ?? texts.problems.unavailable
  const money = (amount: bigint) => formatMoney(amount, currency, language)
  const id = `quantity-${lineKey(input)}`
  return html`<li class="pictured">${productImage({ site, storeId: store.id, url, name: name ?? '?', size: 'line' })}<div>
<div class="line"><span class="line-name">${name === undefined ? title : html`<a href="${productPath(request, store, { id: input.productId, slug })}">${name}</a>`}</span>${totalAmount === undefined ? '' : html`<span class="amount">${money(totalAmount)}</span>`}</div>
${unitPrice === undefined || input.quantity === 1 ? '' : html`<p class="line-note">${texts.each(money(unitPrice))}</p>`}
${notesOf(input, page).map((note) => html`<p class="line-note">${note}</p>`)}
${problem && name !== undefined ? html`<p class="hint invalid" id="${id}-problem">${problemText(problemAt(problem.field, problem.code), texts)}</p>` : ''}
<form class="quantity" method="post" action="${storePath(request, store, '/cart')}" data-once>
<input type="hidden" name="line" value="${lineKey(input)}">
${
  name === undefined
    ? ''
    : html`<label class="visually-hidden" for="${id}">${texts.quantity} (${name})</label>
<input class="short" id="${id}" name="quantity" type="number" inputmode="numeric" min="1" max="1000" required value="${input.quantity}"${problem ? html` aria-describedby="${id}-problem" aria-invalid="true"` : ''}>
<button class="quiet" type="submit">${texts.update}<span class="visually-hidden"> (${title})</span></button>`
}
<button class="quiet" type="submit" name="remove" value="true" formnovalidate>${texts.remove}<span class="visually-hidden"> (${title})</span></button>
</form>
</div></li>`
}

/** What the buyer has chosen, besides the quantity. */
function notesOf(input: CartLineInput, { request, details }: CartPage): string[] {
  const { texts } = request.language
  const { subscription, recipient, selectedGameserverId, customVariables } = input
  const answers = Object.entries(customVariables).map(([identifier, value]) => {
    const variable = details.variables.find((one) => one.identifier === identifier)
    const option = variable?.options.find((one) => one.value === value)
    return `${variable?.name ?? identifier}: ${option?.name ?? value}`
  })
  const server = details.serverNames.get(selectedGameserverId ?? '')
  const gift = recipient.case === 'giftTo' ? recipient.value.id : details.recipients.get(recipient.value ?? '')
  return [
    ...(subscription ? [texts.subscription] : []),
    ...answers,
    ...(gift === undefined ? [] : [texts.giftFor(gift)]),
    ...(server === undefined ? [] : [texts.server(server)]),
  ]
}
