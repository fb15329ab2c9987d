import type { Express } from 'express'
import type { GatewayContext } from '../context.ts'
import { authenticate } from '../middleware/authenticate.ts'
import { authorize } from '../middleware/authorize.ts'
import { handleRequest } from '../middleware/handle-request.ts'
import { limitWrites } from '../middleware/limit-rate.ts'
import { methodNotAllowed } from '../middleware/not-found.ts'
import { parseBody } from '../middleware/parse-body.ts'
import { preflight } from '../middleware/preflight.ts'
import { renameHeaders } from '../middleware/rename-headers.ts'
import type { Step } from '../middleware/step.ts'
import type { Endpoint } from './endpoint.ts'
import { requestContextOf } from './request-context.ts'

/** Serves the endpoints: each path is one route of the app, which runs the steps of the request's method in order. */
export function serveEndpoints(app: Express, ctx: GatewayContext, endpoints: readonly Endpoint[]): void {
  const byPath = [...Map.groupBy(endpoints, ({ path }) => path)]
  // '{' comes after all letters, so `/customers/lookup` is tried before `/customers/{customerId}`.
  for (const [path, methods] of byPath.sort(([a], [b]) => (a < b ? -1 : 1))) {
    const steps = stepsByMethod(ctx, path, methods)
    const allow = [...steps.keys()]
    if (path === '/v1/store' || path.startsWith('/v1/store/')) {
      steps.set('OPTIONS', preflight(allow, { withAliases: ctx.config.http.headerAliases }))
    }
    const otherMethod = methodNotAllowed(allow)
    app.route(path.replace(/\{(\w+)\}/g, ':$1')).all((req, res) => {
      requestContextOf(res).route = path
      return (steps.get(req.method) ?? otherMethod)(req, res)
    })
  }
}

function stepsByMethod(ctx: GatewayContext, path: string, endpoints: readonly Endpoint[]): Map<string, Step> {
  const steps = new Map(endpoints.map((endpoint) => [endpoint.method.toUpperCase(), stepsOf(ctx, endpoint)]))
  if (steps.size < endpoints.length) throw new Error(`${path} declares a method twice`)
  const get = steps.get('GET')
  if (get) steps.set('HEAD', get)
  return steps
}

function stepsOf(ctx: GatewayContext, endpoint: Endpoint): Step {
  const steps = [
    renameHeaders(ctx, endpoint),
    authenticate(ctx, endpoint),
    authorize(ctx, endpoint),
    limitWrites(ctx, endpoint),
    parseBody(ctx, endpoint),
    handleRequest(ctx, endpoint),
  ].filter((step) => step !== undefined)
  return async (req, res) => {
    for (const step of steps) {
      const pending = step(req, res)
      if (pending !== undefined) await pending
    }
  }
}
