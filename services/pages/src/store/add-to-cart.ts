import { create } from '@bufbuild/protobuf'
import { ServiceFault } from '@storekeep/common/errors'
import { isFlakeId } from '@storekeep/common/flake'
import { type CartLineInput, CartLineInputSchema } from '@storekeep/proto/checkout/v1/carts_service'
import { Game, type Store } from '@storekeep/proto/stores/v1/store'
import { enforceLimit } from '../http/limits.ts'
import { type Handler, redirect } from '../http/route.ts'
import { variableFieldName } from '../views/product-page.ts'
import { findLine, inputsOf, lineKey, loadCart, saveCart } from './cart.ts'
import { loadProduct, type ProductChoices } from './catalog.ts'
import { productPath, storePath, withQuery } from './links.ts'
import { loadShopper, loadStore } from './load-store.ts'
import { type Problem, problemAt, problemIn } from './problems.ts'

/**
 * Puts a product into the cart. Shoppers who are not signed in do that first, and return to the product with what they have
 * chosen.
 */
export const addToCart: Handler = async (ctx, request) => {
  const store = await loadStore(ctx, request)
  const form = await request.form()
  const choices = await loadProduct(ctx, request, store, request.params.product ?? '')
  const page = (query: Readonly<Record<string, string>>) =>
    withQuery(productPath(request, store, choices.product), query)
  const entered = enteredIn(form, choices)
  const shopper = await loadShopper(ctx, request, store)
  if (!shopper) return redirect(withQuery(storePath(request, store, '/sign-in'), { back: page(entered) }))
  enforceLimit(ctx, 'form-token', shopper.token, ctx.config.limits.formTokenPerMinute)
  const back = ({ kind, field }: Problem) => redirect(page({ ...entered, problem: kind, ...(field && { field }) }))

  const line = lineOf(form, choices, store)
  if (line === undefined) return back({ kind: 'quantity', field: 'quantity' })
  const before = await loadCart(ctx, request, shopper)
  const key = lineKey(line)
  const known = findLine(before, key)?.input
  const added = { ...line, quantity: line.quantity + (known?.quantity ?? 0) }
  const lines = inputsOf(before)
  const after = known ? lines.map((one) => (lineKey(one) === key ? added : one)) : [...lines, added]
  try {
    const problem = findLine(await saveCart(ctx, request, shopper, after), key)?.problem
    if (problem === undefined) return redirect(page({ added: '1' }))
    await saveCart(ctx, request, shopper, lines)
    return back(problemAt(problem.field, problem.code))
  } catch (error) {
    const problem = error instanceof ServiceFault ? problemIn(error) : undefined
    if (problem === undefined) throw error
    return back(problem)
  }
}

/** @returns undefined for a malformed quantity */
function lineOf(form: URLSearchParams, { product, variables, gameServers }: ProductChoices, store: Store) {
  const quantity = form.get('quantity') ?? ''
  if (!/^[1-9]\d{0,3}$/.test(quantity)) return undefined
  const isSubscription = !product.allowOneTimePurchase || form.get('purchase') === 'subscription'
  const gift = (form.get('gift') ?? '').trim()
  const server = form.get('server') ?? gameServers[0]?.id ?? ''
  const answers = variables.flatMap(({ identifier }): [string, string][] => {
    const answer = form.get(variableFieldName(identifier))
    return answer === null ? [] : [[identifier, answer]]
  })
  const platform = store.game === Game.RUST ? 'steam' : 'minecraft'
  const line: CartLineInput = create(CartLineInputSchema, {
    productId: product.id,
    quantity: Number(quantity),
    subscription: product.allowSubscription && isSubscription,
    ...(gift !== '' && { recipient: { case: 'giftTo', value: { platform, id: gift } } }),
    ...(product.singleGameServerOnly && isFlakeId(server) && { selectedGameserverId: server }),
    customVariables: Object.fromEntries(answers),
  })
  return line
}

/** What the form of the product shows again. */
function enteredIn(form: URLSearchParams, { variables }: ProductChoices): Record<string, string> {
  const names = ['quantity', 'purchase', 'server', 'gift', ...variables.map((one) => variableFieldName(one.identifier))]
  const entries = names.flatMap((name): [string, string][] => {
    const value = form.get(name)
    return value ? [[name, value]] : []
  })
  // A longer address might not get through; the shopper then enters the answers again.
  return new URLSearchParams(entries).toString().length > maxQueryLength ? {} : Object.fromEntries(entries)
}

const maxQueryLength = 1200
