import { randomBytes, timingSafeEqual } from 'node:crypto'
import { isFault } from '@storekeep/common/errors'
import { addressGroup } from '@storekeep/common/http'
import type { Store } from '@storekeep/proto/stores/v1/store'
import { enforceLimit } from '../http/limits.ts'
import { type Handler, type PageRequest, redirect } from '../http/route.ts'
import { backPath, storePath, withQuery } from './links.ts'
import { loadStore } from './load-store.ts'
import { noSteamCookie, readSteamCookie, shopperCookie, steamCookie } from './shopper-cookie.ts'
import { signInPath } from './sign-in.ts'

/** Leads to Steam. A link instead of a form, because the policy of the page does not allow forms that lead to other hosts. */
export const startSteamSignIn: Handler = async (ctx, request) => {
  const store = await loadStore(ctx, request)
  enforceLimit(ctx, 'sign-in-address', addressGroup(request.address), ctx.config.limits.signInAddressPerMinute)
  const back = backPath(request, store, request.query.get('back') ?? '')
  const state = randomBytes(16).toString('base64url')
  const { redirectUrl } = await ctx.customers.startSteamSignIn(
    { returnTo: returnAddress(request, store, state) },
    request.callOptions(),
  )
  return redirect(redirectUrl, steamCookie({ state, back }))
}

/** Where Steam sends the browser back, with an assertion that the customers service verifies. */
export const finishSteamSignIn: Handler = async (ctx, request) => {
  const store = await loadStore(ctx, request)
  enforceLimit(ctx, 'sign-in-address', addressGroup(request.address), ctx.config.limits.signInAddressPerMinute)
  const { query } = request
  const given = readSteamCookie(request.req)
  const back = backPath(request, store, given?.back ?? '')
  const failed = () => redirect(signInPath(request, store, { back, problem: 'steam' }))
  // Otherwise an attacker could sign a shopper in to the attacker's account.
  if (!given || !isEqual(given.state, query.get('state') ?? '')) return failed()
  const parameters = [...query].filter(([name]) => name.startsWith('openid.'))
  const names = new Set(parameters.map(([name]) => name))
  if (names.size !== parameters.length || names.size > maxParameters) return failed()
  try {
    const { customerToken } = await ctx.customers.signInWithSteam(
      { returnTo: returnAddress(request, store, given.state), parameters: Object.fromEntries(parameters) },
      request.callOptions(),
    )
    const cookies = [shopperCookie(store.id, customerToken), noSteamCookie]
    return redirect(back, { 'set-cookie': cookies.flatMap((cookie) => cookie['set-cookie']) })
  } catch (error) {
    if (!isFault(error, 'unauthorized')) throw error
    return failed()
  }
}

function returnAddress(request: PageRequest, store: Store, state: string): string {
  return request.site.origin + withQuery(storePath(request, store, '/sign-in/return'), { state })
}

function isEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

const maxParameters = 30
