import type { IncomingMessage } from 'node:http'

const attributes = 'Path=/; Secure; HttpOnly; SameSite=Lax'

/**
 * Reads the token of the customer who is signed in to a store. Each store has its own cookie, so that shoppers can be signed in to several stores.
 * `__Host-`: see the cookie of the portal. `Lax`: shoppers come back from the checkout and from Steam.
 */
export function readShopperCookie({ headers }: Pick<IncomingMessage, 'headers'>, storeId: string): string | undefined {
  return cookieOf(headers.cookie, `__Host-shopper-${storeId}`, /^skcus_[0-9A-Za-z]{1,400}$/)
}

export function shopperCookie(storeId: string, token: string): { 'set-cookie': string } {
  return { 'set-cookie': `__Host-shopper-${storeId}=${token}; Max-Age=${maxAgeSeconds}; ${attributes}` }
}

export function noShopperCookie(storeId: string): { 'set-cookie': string } {
  return { 'set-cookie': `__Host-shopper-${storeId}=; Max-Age=0; ${attributes}` }
}

/** Tokens last 30 days at most; the customers service decides. */
const maxAgeSeconds = 30 * 24 * 3600

/**
 * Reads what the browser keeps while its shopper is at Steam: a random state, which proves that this browser began the sign-in, and
 * the page to which it returns.
 */
export function readSteamCookie({ headers }: Pick<IncomingMessage, 'headers'>): SteamState | undefined {
  const text = cookieOf(headers.cookie, steamCookieName, /^[\w-]{22}[.][\w-]{0,2000}$/)
  const [state = '', back = ''] = text?.split('.') ?? []
  return text === undefined ? undefined : { state, back: Buffer.from(back, 'base64url').toString('utf8') }
}

export function steamCookie({ state, back }: SteamState): { 'set-cookie': string } {
  const value = `${state}.${Buffer.from(back).toString('base64url')}`
  return { 'set-cookie': `${steamCookieName}=${value}; Max-Age=600; ${attributes}` }
}

/** Removes the cookie. */
export const noSteamCookie = { 'set-cookie': `__Host-steam=; Max-Age=0; ${attributes}` }

export interface SteamState {
  /** 16 random bytes in base64url. */
  state: string
  /** A path of this site. */
  back: string
}

const steamCookieName = '__Host-steam'

function cookieOf(header: string | undefined, name: string, pattern: RegExp): string | undefined {
  for (const pair of (header ?? '').split(';')) {
    const [key, value = ''] = pair.trim().split('=', 2)
    if (key === name && pattern.test(value)) return value
  }
  return undefined
}
