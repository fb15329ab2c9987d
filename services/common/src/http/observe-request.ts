import type { Logger } from '../log/index.ts'
import { attributes } from '../telemetry/index.ts'
import type { HttpMetrics } from './http-metrics.ts'
import { probeRoutes, type RequestContext } from './request-context.ts'

/** Writes the log line, the metric and the span of a request whose connection or response is closed. */
export function observeRequest({ config, log, metrics }: ObserveContext, request: RequestContext): void {
  const { req, res, route, span, startedAt } = request
  const { method = '' } = req
  const status = res.writableFinished ? res.statusCode : clientClosedRequest
  const seconds = (performance.now() - startedAt - request.heldMs) / 1000
  metrics.requestDuration.observe(
    { http_request_method: method, http_route: route, http_response_status_code: status },
    seconds,
  )
  endSpan(request, method, status)
  const level = probeRoutes.has(route) ? 'debug' : 'info'
  if (!log.isLevelEnabled(level)) return
  const isNotable = status >= 400 || seconds >= slowSeconds || span !== undefined
  if (!isNotable && Math.random() >= config.log.requestRatio) return
  log[level](
    {
      http_method: method,
      route,
      status,
      duration_ms: Math.round(seconds * 1e6) / 1e3,
      request_id: request.requestId,
      trace_id: request.trace.traceId,
      ...(span && { span_id: request.trace.spanId }),
      store_id: request.storeId,
      ...request.logFields,
      code: request.faultCode,
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

/** nginx's status for a client that disconnected. Only logged, never sent. */
const clientClosedRequest = 499

/** A slower request is always logged. */
const slowSeconds = 1

export interface ObserveContext {
  config: {
    log: {
      /** Share of the requests that are logged, 0 to 1, apart from failed, slow and traced ones. */
      requestRatio: number
    }
  }
  log: Logger
  metrics: Pick<HttpMetrics, 'requestDuration'>
}
