import { attributes, withSpan } from '@storekeep/common/telemetry'
import type { RequestHandler } from 'express'
import type { GatewayContext } from '../context.ts'
import { probeRoutes } from '../http/probe-routes.ts'
import { RequestContext } from '../http/request-context.ts'

/** Creates the request context; once the response is finished, writes the log line, the metric and the span. */
export function beginRequest(ctx: GatewayContext): RequestHandler {
  return (req, res, next) => {
    const requestContext = new RequestContext(req, ctx)
    res.locals.requestContext = requestContext
    res.setHeader('x-request-id', requestContext.requestId)
    res.once('close', () => {
      if (!res.writableFinished) requestContext.abort()
      observe(ctx, req.method, requestContext, res.writableFinished ? res.statusCode : clientClosedRequest)
    })
    withSpan(requestContext.span, next)
  }
}

/** nginx's status for a caller that disconnected. Only logged, never sent. */
const clientClosedRequest = 499

/** A slower request is always logged. */
const slowSeconds = 1

function observe(ctx: GatewayContext, method: string, requestContext: RequestContext, status: number): void {
  const seconds = (performance.now() - requestContext.startedAt) / 1000
  const { route } = requestContext
  ctx.metrics.requestDuration.observe(
    { http_request_method: method, http_route: route, http_response_status_code: status },
    seconds,
  )
  endSpan(requestContext, method, status)
  const level = probeRoutes.has(route) ? 'debug' : 'info'
  if (!ctx.log.isLevelEnabled(level)) return
  const isNotable = status >= 400 || seconds >= slowSeconds || requestContext.span !== undefined
  if (!isNotable && Math.random() >= ctx.config.log.requestRatio) return
  ctx.log[level](
    {
      http_method: method,
      route,
      status,
      duration_ms: Math.round(seconds * 1e6) / 1e3,
      request_id: requestContext.requestId,
      trace_id: requestContext.trace.traceId,
      ...(requestContext.span && { span_id: requestContext.trace.spanId }),
      store_id: requestContext.storeId,
      api_key_id: requestContext.apiKeyId,
      code: requestContext.faultCode,
    },
    'request',
  )
}

/** Names the span by the route, which is not known before now; the path itself contains ids. */
function endSpan({ span, route, storeId, faultCode }: RequestContext, method: string, status: number): void {
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
