import { randomBytes } from 'node:crypto'
import { createRouter, type HttpApp, RateLimited, writeGrants } from '@storekeep/common/http'
import type { GatewayContext } from './context.ts'
import { faultToHttp } from './errors/fault-to-http.ts'
import { httpFaults } from './errors/http-faults.ts'
import { endpointRoutes } from './http/endpoint-routes.ts'
import { GatewayRequest } from './http/gateway-request.ts'
import { sendJson } from './http/send-json.ts'
import { commonHeaders } from './middleware/common-headers.ts'
import { docsRoutes } from './openapi/docs-routes.ts'
import { endpoints } from './routes/index.ts'
import { probeRoutes } from './routes/probe-routes.ts'

/** Everything the gateway serves; the steps of an endpoint are in `endpointRoutes`. */
export function createApp(ctx: GatewayContext): HttpApp<GatewayRequest> {
  const routes = [...endpointRoutes(ctx, endpoints), ...probeRoutes(ctx), ...docsRoutes(ctx)]
  return {
    createRequest: (req, res) => new GatewayRequest(req, res, ctx),
    setHeaders: commonHeaders(ctx.config),
    route: createRouter(routes, { notFound: httpFaults.routeNotFound }),
    sendFault(request, fault) {
      const { res } = request
      const { status, body } = faultToHttp(fault, request.trace.traceId)
      if (fault instanceof RateLimited) writeGrants(res, fault.grants)
      if (status === 401) res.setHeader('www-authenticate', request.challenge)
      sendJson(request, status, body)
    },
    renderRejection(fault, status) {
      const { body } = faultToHttp(fault, randomBytes(16).toString('hex'))
      return { type: 'application/json', body: JSON.stringify({ ...body, status }) }
    },
  }
}
