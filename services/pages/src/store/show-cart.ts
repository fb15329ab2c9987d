import type { Cart } from '@storekeep/proto/checkout/v1/carts_service'
import type { Store } from '@storekeep/proto/stores/v1/store'
import type { PagesContext } from '../context.ts'
import { loadGameServers } from '../delivery/load-delivery.ts'
import type { Handler, PageRequest } from '../http/route.ts'
import { loadProfiles, namesOf } from '../load-profiles.ts'
import { cartPage, type LineDetails } from '../views/cart-page.ts'
import { loadCart } from './cart.ts'
import { loadVariables } from './catalog.ts'
import { loadShopper, loadStore } from './load-store.ts'
import { problemOf } from './problems.ts'
import { shopPage } from './shop-page.ts'

/** The cart of the signed-in shopper. */
export const showCart: Handler = async (ctx, request) => {
  const store = await loadStore(ctx, request)
  const shopper = await loadShopper(ctx, request, store)
  const cart = shopper && (await loadCart(ctx, request, shopper))
  const details = cart ? await loadDetails(ctx, request, store, cart) : noDetails
  return shopPage(request, {
    title: request.language.texts.store.cart,
    content: cartPage({ request, store, cart, details, problem: problemOf(request.query) }),
    store,
    shopper,
    // Browsers apply the policy to the redirect that leads to the checkout.
    formOrigins: [ctx.config.sites.checkout.origin],
  })
}

async function loadDetails(
  ctx: PagesContext,
  request: PageRequest,
  store: Store,
  { lines }: Cart,
): Promise<LineDetails> {
  const inputs = lines.flatMap(({ input }) => input ?? [])
  const gifts = inputs.flatMap(({ recipient }) =>
    recipient.case === 'giftToCustomerId' ? { giftToCustomerId: recipient.value } : [],
  )
  const [variables, gameServers, profiles] = await Promise.all([
    inputs.some(({ customVariables }) => Object.keys(customVariables).length > 0)
      ? loadVariables(ctx, request, store)
      : [],
    inputs.some(({ selectedGameserverId }) => selectedGameserverId) ? loadGameServers(ctx, request) : [],
    loadProfiles(ctx, request, gifts),
  ])
  return {
    variables,
    serverNames: new Map(gameServers.map(({ id, name }) => [id, name])),
    recipients: namesOf(profiles),
  }
}

const noDetails: LineDetails = { variables: [], serverNames: new Map(), recipients: new Map() }
