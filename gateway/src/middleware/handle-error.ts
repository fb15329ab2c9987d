import type { ErrorRequestHandler } from 'express'
import type { GatewayContext } from '../context.ts'
import { asFault, faultToHttp } from '../errors/fault-to-http.ts'
import { exchangeOf } from '../http/exchange.ts'
import { sendJson } from '../http/send-json.ts'

/** The last of the list: whatever was thrown becomes a ServiceError, and no more of it than that leaves the house. */
export function handleError({ log }: GatewayContext): ErrorRequestHandler {
  return (thrown, _req, res, _next) => {
    const exchange = exchangeOf(res)
    const fault = asFault(thrown)
    exchange.faultCode = fault.code
    if (fault.code === 'internal-error' || (fault.code === 'service-unavailable' && !exchange.hungUp)) {
      const fields = {
        err: fault,
        code: fault.code,
        route: exchange.route,
        request_id: exchange.requestId,
        trace_id: exchange.trace.traceId,
      }
      log[fault.code === 'internal-error' ? 'error' : 'warn'](fields, 'request failed')
    }
    if (res.headersSent) {
      res.destroy()
      return
    }
    const { status, body, retryAfterSeconds } = faultToHttp(fault, exchange.trace.traceId)
    if (status === 401) res.setHeader('www-authenticate', exchange.challenge)
    if (retryAfterSeconds !== undefined) res.setHeader('retry-after', retryAfterSeconds)
    // What is left of a call that runs beside a refusal is not waited for.
    exchange.abort()
    sendJson(res, status, body)
  }
}
