import type { RequestHandler } from 'express'
import type { GatewayContext } from '../context.ts'
import { authenticate } from '../middleware/authenticate.ts'
import { authorize } from '../middleware/authorize.ts'
import { handleRequest } from '../middleware/handle-request.ts'
import { limitWrites } from '../middleware/limit-rate.ts'
import { methodNotAllowed } from '../middleware/not-found.ts'
import { parseBody } from '../middleware/parse-body.ts'
import { preflight } from '../middleware/preflight.ts'
import type { Step } from '../middleware/step.ts'
import type { Endpoint } from './endpoint.ts'
import { requestContextOf } from './request-context.ts'
import { createRouteTree } from './route-tree.ts'

/** Serves the endpoints: finds the one of a request and runs its steps in order. Other paths go to the next handler. */
export function serveEndpoints(ctx: GatewayContext, endpoints: readonly Endpoint[]): RequestHandler {
  const byPath = Map.groupBy(endpoints, ({ path }) => path)
  const find = createRouteTree(new Map([...byPath].map(([path, methods]) => [path, toRoute(ctx, path, methods)])))
  return (req, res, next) => {
    const found = find(req.path)
    if (found === undefined) return next()
    const { path, steps, otherMethod } = found.route
    requestContextOf(res).route = path
    req.params = found.params
    return (steps.get(req.method) ?? otherMethod)(req, res)
  }
}

interface Route {
  path: string
  /** By method. */
  steps: ReadonlyMap<string, Step>
  otherMethod: Step
}

function toRoute(ctx: GatewayContext, path: string, endpoints: readonly Endpoint[]): Route {
  const steps = new Map(endpoints.map((endpoint) => [endpoint.method.toUpperCase(), stepsOf(ctx, endpoint)]))
  if (steps.size < endpoints.length) throw new Error(`${path} declares a method twice`)
  const get = steps.get('GET')
  if (get) steps.set('HEAD', get)
  const allow = [...steps.keys()]
  if (path === '/v1/store' || path.startsWith('/v1/store/')) steps.set('OPTIONS', preflight(allow))
  return { path, steps, otherMethod: methodNotAllowed(allow) }
}

function stepsOf(ctx: GatewayContext, endpoint: Endpoint): Step {
  const steps = [
    authenticate(ctx, endpoint),
    authorize(ctx, endpoint),
    limitWrites(ctx, endpoint),
    parseBody(endpoint),
    handleRequest(ctx, endpoint),
  ].filter((step) => step !== undefined)
  return async (req, res) => {
    for (const step of steps) {
      const pending = step(req, res)
      if (pending !== undefined) await pending
    }
  }
}
