import type { IncomingMessage } from 'node:http'
import type { CallOptions } from '@storekeep/common/grpc'
import type { Site } from '../config.ts'
import type { PagesContext } from '../context.ts'
import type { Language } from '../texts/language.ts'

export interface Route {
  site: SiteName
  /** GET also serves HEAD. */
  method: 'GET' | 'POST'
  /** Below the path of the site; a segment may be a parameter. "/orders/:orderId" */
  path: string
  handle: Handler
  /** Called by programs, not from our pages: no check of the origin, and plain-text errors. */
  isMachine?: boolean
}

export type SiteName = 'checkout' | 'portal'

export type Handler = (ctx: PagesContext, request: PageRequest) => Promise<Reply>

export interface PageRequest {
  req: IncomingMessage
  site: Site
  params: Readonly<Record<string, string>>
  query: URLSearchParams
  /** Address of the client. */
  address: string
  language: Language
  /** The fields of a submitted form; at most 16 KiB. @throws ServiceFault `payload-too-large`, `bad-request` */
  form(): Promise<URLSearchParams>
  /** Aborted when the client disconnects. */
  signal: AbortSignal
  /** Options for a call; the store as soon as it is known. */
  call(storeId?: string): CallOptions
}

export interface Reply {
  status: number
  headers?: Readonly<Record<string, string>>
  body?: string | Buffer
}

/** Ends a form submission: the browser loads the page again with GET, so that a reload repeats nothing. */
export function redirect(location: string, headers: Readonly<Record<string, string>> = {}): Reply {
  // A header holds ASCII only, and the address of a store may have any letters: it is sent as browsers would encode it.
  const ascii = URL.parse(location)?.href ?? location
  return { status: 303, headers: { ...headers, location: ascii } }
}
