import type { Route } from '@storekeep/common/http'
import type { GatewayContext } from '../context.ts'
import type { GatewayRequest } from '../http/gateway-request.ts'
import { sendJson } from '../http/send-json.ts'

/** Health checks and metrics for the platform. Not part of the public interface. */
export function probeRoutes(ctx: GatewayContext): Route<GatewayRequest>[] {
  const { registry } = ctx.metrics.metrics
  const method = 'GET'
  const health: Route<GatewayRequest> = {
    method,
    path: '/healthz',
    handle: (request) => sendJson(request, 200, { status: 'ok' }),
  }
  // Ready means started and not draining. Redis and the services do not count, not even all of them: an outage would take
  // every replica out of the load balancer together, and callers would get its bare error instead of our 503. The body lists the
  // cells only for operators: an unreachable cell affects only its own stores.
  const readiness: Route<GatewayRequest> = {
    method,
    path: '/readyz',
    handle(request) {
      const { draining } = ctx.lifecycle
      const cells = Object.fromEntries(ctx.cellStates())
      sendJson(request, draining ? 503 : 200, { status: draining ? 'draining' : 'ready', cells })
    },
  }
  const metrics: Route<GatewayRequest> = {
    method,
    path: '/metrics',
    async handle(request) {
      const text = await registry.metrics()
      request.res.setHeader('content-type', registry.contentType)
      request.send(200, text)
    },
  }
  return [health, readiness, ...(ctx.config.metrics.port === undefined ? [metrics] : [])]
}
