import type { RequestHandler } from 'express'
import type { GatewayContext } from '../context.ts'
import { Exchange } from '../http/exchange.ts'

/** Request id, trace and hanging up; then, once the answer is out, the log line and the metric of the request. */
export function beginExchange(ctx: GatewayContext): RequestHandler {
  return (req, res, next) => {
    const exchange = new Exchange(req, ctx)
    res.locals.exchange = exchange
    res.setHeader('x-request-id', exchange.requestId)
    res.once('close', () => {
      if (!res.writableFinished) exchange.abort()
      observe(ctx, req.method, exchange, res.writableFinished ? res.statusCode : clientClosedRequest)
    })
    next()
  }
}

/** nginx's number for a caller that hung up; it is logged and never sent. */
const clientClosedRequest = 499
/** Asked every few seconds by balancers and Prometheus; their lines would be all that a quiet log holds. */
const quietRoutes = new Set(['/healthz', '/readyz', '/metrics'])

function observe(ctx: GatewayContext, method: string, exchange: Exchange, status: number): void {
  const seconds = (performance.now() - exchange.startedAt) / 1000
  const { route } = exchange
  ctx.metrics.requestDuration.observe(
    { http_request_method: method, http_route: route, http_response_status_code: status },
    seconds,
  )
  const level = quietRoutes.has(route) ? 'debug' : 'info'
  if (!ctx.log.isLevelEnabled(level)) return
  ctx.log[level](
    {
      http_method: method,
      route,
      status,
      duration_ms: Math.round(seconds * 1e6) / 1e3,
      request_id: exchange.requestId,
      trace_id: exchange.trace.traceId,
      store_id: exchange.storeId,
      api_key_id: exchange.apiKeyId,
      code: exchange.faultCode,
    },
    'request',
  )
}
