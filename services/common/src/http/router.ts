import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Request as ExpressRequest, type RequestHandler, type Response, Router } from 'express'
import { ServiceFault } from '../errors/index.ts'
import type { HttpMessage, RequestContext } from './request-context.ts'

export interface Route<Request extends RequestContext> {
  /** GET also serves HEAD. */
  method: string
  /** With `{name}` for a parameter, and `*name` for one of any number of segments. */
  path: string
  handle: Handler<Request>
}

/** Throws to end the request with an error response. */
export type Handler<Request extends RequestContext> = (request: Request) => Promise<void> | void

/**
 * Creates the function that runs the handler of a request. Paths are compared exactly, in the order of the routes. A path that is
 * known, with another method, is rejected with the header `Allow`.
 *
 * @param options.prefix of every path, such as a site's path
 * @param options.notFound creates the fault of an unknown path
 */
export function createRouter<Request extends RequestContext>(
  routes: readonly Route<Request>[],
  { prefix = '', notFound }: { prefix?: string; notFound: () => ServiceFault },
): (request: Request, fail: (thrown: unknown) => void) => void {
  const router = Router({ caseSensitive: true, strict: true })
  for (const [path, ofPath] of Map.groupBy(routes, (route) => route.path)) {
    router.route(pattern(prefix, path)).all(runHandler(path, ofPath))
  }
  // The router needs none of the methods that Express adds to requests and responses.
  return ({ req, res }: { req: IncomingMessage; res: ServerResponse }, fail) =>
    router(req as ExpressRequest, res as Response, (thrown?: unknown) => fail(thrown ?? notFound()))
}

function runHandler<Request extends RequestContext>(path: string, routes: readonly Route<Request>[]): RequestHandler {
  const handlers = new Map(routes.map(({ method, handle }) => [method, handle]))
  if (handlers.size < routes.length) throw new Error(`${path} has a method twice`)
  const allow = allowedMethods(routes)
  const get = handlers.get('GET')
  if (get) handlers.set('HEAD', get)
  return (message) => {
    const request = (message as IncomingMessage as HttpMessage).context as Request
    request.route = path
    request.params = message.params
    const handle = handlers.get(message.method)
    if (handle !== undefined) return handle(request)
    request.res.setHeader('allow', allow.join(', '))
    throw methodNotAllowed(allow)
  }
}

export function methodNotAllowed(allowed: readonly string[]): ServiceFault {
  return new ServiceFault('method-not-allowed', `This path supports only ${allowed.join(', ')}.`)
}

/** The methods of the routes of a path, without OPTIONS, which only a preflight uses. */
export function allowedMethods(routes: readonly { method: string }[]): string[] {
  const methods = routes.map(({ method }) => method).filter((method) => method !== 'OPTIONS')
  return methods.includes('GET') ? [...methods, 'HEAD'] : methods
}

/** The path in the syntax of Express. Both `/checkout` and `/checkout/` are the root of the prefix `/checkout`. */
function pattern(prefix: string, path: string): string | string[] {
  const literal = prefix.replace(/[{}()[\]+?!:*\\]/g, '\\$&')
  const whole = literal + path.replace(/\{(\w+)\}/g, ':$1')
  return path === '/' && prefix !== '' ? [literal, whole] : whole
}
