import { allowedMethods, type Route } from '@storekeep/common/http'
import type { GatewayContext } from '../context.ts'
import { authenticate } from '../middleware/authenticate.ts'
import { authorize } from '../middleware/authorize.ts'
import { handleRequest } from '../middleware/handle-request.ts'
import { limitWrites } from '../middleware/limit-rate.ts'
import { parseBody } from '../middleware/parse-body.ts'
import { preflight } from '../middleware/preflight.ts'
import { renameHeaders } from '../middleware/rename-headers.ts'
import type { Step } from '../middleware/step.ts'
import { type Endpoint, isOfStorefront } from './endpoint.ts'
import type { GatewayRequest } from './gateway-request.ts'

/** The routes of the endpoints. The handler of each runs its steps in order. */
export function endpointRoutes(ctx: GatewayContext, endpoints: readonly Endpoint[]): Route<GatewayRequest>[] {
  const routesOf = (endpoint: Endpoint) => {
    const handle = stepsOf(ctx, endpoint)
    return pathsOf(endpoint).map((path) => ({ method: endpoint.method.toUpperCase(), path, handle }))
  }
  const routes = endpoints.flatMap(routesOf)
  const ofStorefront = endpoints.filter(isOfStorefront).flatMap(routesOf)
  const preflights = [...Map.groupBy(ofStorefront, ({ path }) => path)].map(([path, ofPath]) => ({
    method: 'OPTIONS',
    path,
    handle: preflight(allowedMethods(ofPath), { withAliases: ctx.config.http.headerAliases }),
  }))
  // '{' comes after all letters, so `/customers/lookup` is tried before `/customers/{customerId}`.
  return [...routes, ...preflights].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
}

/** The path of an endpoint, then its undocumented other paths. */
export function pathsOf({ auth, path }: Pick<Endpoint, 'auth' | 'path'>): string[] {
  if (auth === 'game-server') return [path, `${path}/`]
  // The names of the operations in earlier versions of the original interface.
  return path.includes('/delivery/') ? [path, path.replace('/delivery/', '/command-delivery/')] : [path]
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
  return async (request) => {
    for (const step of steps) {
      const pending = step(request)
      if (pending !== undefined) await pending
    }
  }
}
