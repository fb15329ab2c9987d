import { isFault } from '@storekeep/common/errors'
import { addressGroup, rateLimited } from '@storekeep/common/http'
import { Game, type Store } from '@storekeep/proto/stores/v1/store'
import type { PagesContext } from '../context.ts'
import { type Handler, type PageRequest, redirect } from '../http/route.ts'
import { type SignInProblem, signInPage } from '../views/sign-in-page.ts'
import { backPath, storePath, withQuery } from './links.ts'
import { loadShopper, loadStore } from './load-store.ts'
import { shopPage } from './shop-page.ts'
import { noShopperCookie, readShopperCookie, shopperCookie } from './shopper-cookie.ts'

/** The form that signs a shopper in. */
export const showSignIn: Handler = async (ctx, request) => {
  const store = await loadStore(ctx, request)
  const { query, language } = request
  const back = backPath(request, store, query.get('back') ?? '')
  const shopper = await loadShopper(ctx, request, store)
  if (shopper) return redirect(back)
  const problem = (['name', 'steam'] as const).find((one) => one === query.get('problem'))
  const name = (query.get('name') ?? '').slice(0, maxNameLength)
  return shopPage(request, {
    title: language.texts.store.signIn,
    content: signInPage({ request, store, back, problem, name }),
    store,
    shopper,
  })
}

/** Signs in by a typed Minecraft name, which proves nothing (decision 0021), as the storefront API does and with the same limits. */
export const signIn: Handler = async (ctx, request) => {
  const store = await loadStore(ctx, request)
  const form = await request.form()
  const back = backPath(request, store, form.get('back') ?? '')
  const name = (form.get('name') ?? '').trim().slice(0, maxNameLength)
  if (store.game === Game.RUST) return redirect(signInPath(request, store, { back }))
  const player = { platform: 'minecraft', id: name }
  await enforceSignInLimits(ctx, request, store, player)
  try {
    const { customerToken } = await ctx.customers.signIn(player, request.callOptions())
    ctx.returningPlayers.add({ ...player, storeId: store.id, address: request.address })
    return redirect(back, shopperCookie(store.id, customerToken))
  } catch (error) {
    if (!isFault(error, 'validation-failed')) throw error
    return redirect(signInPath(request, store, { back, problem: 'name', name }))
  }
}

/** Forgets the session in this browser. The token ends on its own, or when the store ends all of the customer's tokens. */
export const signOut: Handler = async (ctx, request) => {
  const store = await loadStore(ctx, request)
  const isSignedIn = readShopperCookie(request.req, store.id) !== undefined
  return redirect(storePath(request, store), isSignedIn ? noShopperCookie(store.id) : {})
}

export function signInPath(
  request: PageRequest,
  store: Store,
  query: { back: string; problem?: SignInProblem; name?: string },
): string {
  return withQuery(storePath(request, store, '/sign-in'), query)
}

/**
 * Anyone can type any name, so sign-ins are limited by address, by name and by store; returning players only by address.
 * @throws RateLimited
 */
async function enforceSignInLimits(
  { config: { limits }, windows, metrics, customers, returningPlayers }: PagesContext,
  request: PageRequest,
  { id: storeId }: Store,
  player: { platform: string; id: string },
): Promise<void> {
  const { address } = request
  const ofAddress = { policy: 'sign-in-address', key: addressGroup(address), quota: limits.signInAddressPerMinute }
  const isReturning = returningPlayers.has({ ...player, storeId, address })
  const key = isReturning ? '' : (await customers.getSignInKey(player, request.callOptions())).signInKey
  const others = [
    { policy: 'sign-in-name', key: `${storeId}:${key}`, quota: limits.signInNamePerMinute },
    { policy: 'sign-in-store', key: storeId, quota: limits.signInStorePerMinute },
  ]
  const grants = windows.take(isReturning ? [ofAddress] : [ofAddress, ...others])
  const rejected = grants.find(({ granted }) => !granted)
  if (rejected === undefined) return
  metrics.limitedRequests.inc({ policy: rejected.limit.policy })
  throw rateLimited(rejected, grants)
}

const maxNameLength = 64
