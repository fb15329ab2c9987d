import { attributes, withSpan } from '@storekeep/common/telemetry'
import type { RequestHandler } from 'express'
import type { GatewayContext } from '../context.ts'
import { Exchange } from '../http/exchange.ts'
import { quietRoutes } from '../http/quiet-routes.ts'

/** Request id, trace and hanging up; then, once the answer is out, the log line, the metric and the span of the request. */
export function beginExchange(ctx: GatewayContext): RequestHandler {
  return (req, res, next) => {
    const exchange = new Exchange(req, ctx)
    res.locals.exchange = exchange
    res.setHeader('x-request-id', exchange.requestId)
    res.once('close', () => {
      if (!res.writableFinished) exchange.abort()
      observe(ctx, req.method, exchange, res.writableFinished ? res.statusCode : clientClosedRequest)
    })
    withSpan(exchange.span, next)
  }
}

/** nginx's number for a caller that hung up; it is logged and never sent. */
const clientClosedRequest = 499

function observe(ctx: GatewayContext, method: string, exchange: Exchange, status: number): void {
  const seconds = (performance.now() - exchange.startedAt) / 1000
  const { route } = exchange
  ctx.metrics.requestDuration.observe(
    { http_request_method: method, http_route: route, http_response_status_code: status },
    seconds,
  )
  endSpan(exchange, method, status)
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
      ...(exchange.span && { span_id: exchange.trace.spanId }),
      store_id: exchange.storeId,
      api_key_id: exchange.apiKeyId,
      code: exchange.faultCode,
    },
    'request',
  )
}

/** Named by the route, which is known only now; the path itself holds ids. */
function endSpan({ span, route, storeId, faultCode }: Exchange, method: string, status: number): void {
  if (!span) return
  span.rename(`${method} ${route}`)
  span.set({
    [attributes.httpRequestMethod]: method,
    [attributes.httpRoute]: route,
    [attributes.httpResponseStatusCode]: status,
    [attributes.storeId]: storeId,
  })
  if (status >= 500) span.fail(faultCode ?? String(status))
  span.end()
}
