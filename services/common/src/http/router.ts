import type { ServerResponse } from 'node:http'
import { type RequestHandler, Router } from 'express'
import { ServiceFault } from '../errors/index.ts'
import type { HttpMessage, RequestContext } from './request-context.ts'

/** A path with the handler of each method. GET also serves HEAD. */
export interface Route<Request extends RequestContext> {
  /** With `{name}` for a parameter, and `*name` for one of any number of segments. */
  path: string
  handlers: Readonly<Partial<Record<Method, Handler<Request>>>>
}

/** Throws to end the request with an error response. */
export type Handler<Request extends RequestContext> = (request: Request) => Promise<void> | void

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'OPTIONS'

/**
 * Creates the function that runs the handler of a request. Paths are compared exactly, in the order of the routes. A path that is
 * known, with another method, is rejected with the header `Allow`.
 *
 * @param options.prefix of every path, such as that of a site
 * @param options.notFound creates the fault of an unknown path
 */
export function createRouter<Request extends RequestContext>(
  routes: readonly Route<Request>[],
  { prefix = '', notFound }: { prefix?: string; notFound: () => ServiceFault },
): (request: Request, fail: (thrown: unknown) => void) => void {
  const router = Router({ caseSensitive: true, strict: true })
  for (const { path, handlers } of routes) router.route(pattern(prefix, path)).all(runHandler(path, handlers))
  const run = router as unknown as (req: HttpMessage, res: ServerResponse, done: (thrown?: unknown) => void) => void
  return ({ req, res }, fail) => run(req, res, (thrown) => fail(thrown ?? notFound()))
}

function runHandler<Request extends RequestContext>(
  path: string,
  handlers: Route<Request>['handlers'],
): RequestHandler {
  const allow = allowedMethods(handlers)
  const byMethod = new Map(Object.entries(handlers))
  if (handlers.GET) byMethod.set('HEAD', handlers.GET)
  return (message) => {
    const request = (message as unknown as HttpMessage).context as Request
    request.route = path
    request.params = message.params
    const handle = byMethod.get(message.method)
    if (handle !== undefined) return handle(request)
    request.res.setHeader('allow', allow.join(', '))
    throw methodNotAllowed(allow)
  }
}

export function methodNotAllowed(allowed: readonly string[]): ServiceFault {
  return new ServiceFault('method-not-allowed', `This path supports only ${allowed.join(', ')}.`)
}

/** Without OPTIONS, which only a preflight uses. */
export function allowedMethods(handlers: object): string[] {
  const methods = Object.keys(handlers).filter((method) => method !== 'OPTIONS')
  return methods.includes('GET') ? [...methods, 'HEAD'] : methods
}

/** The path in the syntax of Express. Both `/checkout` and `/checkout/` are the root of the prefix `/checkout`. */
function pattern(prefix: string, path: string): string | string[] {
  const whole = prefix + path.replace(/\{(\w+)\}/g, ':$1')
  return path === '/' && prefix !== '' ? [prefix, whole] : whole
}
