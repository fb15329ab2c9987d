import { ServiceFault } from '@storekeep/common/errors'
import type { Store } from '@storekeep/proto/stores/v1/store'
import type { PagesContext } from '../context.ts'
import { ipCountryOf } from '../http/ip-country.ts'
import { enforceLimit } from '../http/limits.ts'
import { type Handler, type PageRequest, redirect } from '../http/route.ts'
import { inputsOf, lineKey, loadCart, saveCart } from './cart.ts'
import { storePath, withQuery } from './links.ts'
import { loadShopper, loadStore, type Shopper } from './load-store.ts'
import { problemIn } from './problems.ts'
import { signInPath } from './sign-in.ts'

/** Changes the quantity of a line, or removes it. */
export const changeCart: Handler = async (ctx, request) => {
  const visit = await visitCart(ctx, request)
  if (visit.shopper === undefined) return redirect(visit.signIn)
  const { store, shopper } = visit
  const form = await request.form()
  const key = form.get('line') ?? ''
  const entered = form.get('quantity') ?? ''
  const quantity = form.has('remove') ? 0 : Number(entered)
  if (!form.has('remove') && !/^\d{1,4}$/.test(entered)) {
    return redirect(cartPath(request, store, { problem: 'quantity' }))
  }
  const lines = inputsOf(await loadCart(ctx, request, shopper)).flatMap((line) => {
    if (lineKey(line) !== key) return line
    return quantity === 0 ? [] : { ...line, quantity }
  })
  try {
    await saveCart(ctx, request, shopper, lines)
    return redirect(cartPath(request, store))
  } catch (error) {
    return redirect(cartPath(request, store, { problem: problemKind(error) }))
  }
}

/** Creates the checkout session of the cart, and leads to its page. Paid lines leave the cart. */
export const checkOut: Handler = async (ctx, request) => {
  const visit = await visitCart(ctx, request)
  if (visit.shopper === undefined) return redirect(visit.signIn)
  const { store, shopper } = visit
  const { origin } = request.site
  const country = ipCountryOf(ctx, request)
  try {
    const { token } = await ctx.carts.checkOutCart(
      {
        customerId: shopper.customer.id,
        returnUrl: origin + storePath(request, store),
        cancelUrl: origin + cartPath(request, store),
        customerIp: request.address,
        ...(country !== undefined && { customerCountry: country }),
      },
      request.callOptions(),
    )
    const { checkout } = ctx.config.sites
    return redirect(`${checkout.origin}${checkout.path}/?t=${token}`)
  } catch (error) {
    return redirect(cartPath(request, store, { problem: problemKind(error) }))
  }
}

/** The shopper whose cart a form changes; or else the page on which to sign in. */
async function visitCart(ctx: PagesContext, request: PageRequest): Promise<CartVisit> {
  const store = await loadStore(ctx, request)
  const shopper = await loadShopper(ctx, request, store)
  if (!shopper) return { shopper: undefined, signIn: signInPath(request, store, { back: cartPath(request, store) }) }
  enforceLimit(ctx, 'form-token', shopper.token, ctx.config.limits.formTokenPerMinute)
  return { store, shopper }
}

type CartVisit = { store: Store; shopper: Shopper } | { shopper: undefined; signIn: string }

function cartPath(request: PageRequest, store: Store, query: { problem?: string } = {}): string {
  return withQuery(storePath(request, store, '/cart'), query)
}

/** @throws the error, unless the page of the cart can explain it */
function problemKind(error: unknown): string {
  const problem = error instanceof ServiceFault ? problemIn(error) : undefined
  if (problem === undefined) throw error
  return problem.kind
}
