import type { Site } from '../config.ts'
import type { PagesContext } from '../context.ts'
import type { SiteRequest } from './site-request.ts'

export interface Route {
  site: SiteName
  /** GET also serves HEAD. */
  method: 'GET' | 'POST'
  /** Below the path of the site, with `{name}` for a parameter. */
  path: string
  handle: Handler
  /** Called by programs, not from our pages: no check of the origin, and plain-text errors. */
  isMachine?: boolean
}

export type SiteName = 'checkout' | 'portal' | 'store'

export type Handler = (ctx: PagesContext, request: PageRequest) => Promise<Reply>

export type PageRequest = SiteRequest & { site: Site }

export interface Reply {
  status: number
  headers?: ReplyHeaders
  body?: string | Buffer
}

/** A list has the values of a header that is sent several times, which only `Set-Cookie` can be. */
export type ReplyHeaders = Readonly<Record<string, string | string[]>>

/** Ends a form submission: the browser loads the page again with GET, so that a reload repeats nothing. */
export function redirect(location: string, headers: ReplyHeaders = {}): Reply {
  // A header holds ASCII only, and the address of a store may have any letters: it is sent as browsers would encode it.
  const ascii = URL.parse(location)?.href ?? location
  return { status: 303, headers: { ...headers, location: ascii } }
}
