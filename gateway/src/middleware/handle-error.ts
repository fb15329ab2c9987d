import { RateLimited, writeGrants } from '@storekeep/common/http'
import type { ErrorRequestHandler } from 'express'
import type { GatewayContext } from '../context.ts'
import { asFault, faultToHttp } from '../errors/fault-to-http.ts'
import { requestContextOf } from '../http/request-context.ts'
import { sendJson } from '../http/send-json.ts'

/** Turns anything thrown into a ServiceError. Internal details are logged, never sent. */
export function handleError({ log }: GatewayContext): ErrorRequestHandler {
  return (thrown, _req, res, _next) => {
    const requestContext = requestContextOf(res)
    const fault = asFault(thrown)
    requestContext.faultCode = fault.code
    if (fault.code === 'internal-error' || (fault.code === 'service-unavailable' && !requestContext.aborted)) {
      const fields = {
        err: fault,
        code: fault.code,
        route: requestContext.route,
        request_id: requestContext.requestId,
        trace_id: requestContext.trace.traceId,
      }
      log[fault.code === 'internal-error' ? 'error' : 'warn'](fields, 'request failed')
    }
    if (res.headersSent) {
      res.destroy()
      return
    }
    const { status, body, retryAfterSeconds } = faultToHttp(fault, requestContext.trace.traceId)
    if (fault instanceof RateLimited) writeGrants(res, fault.grants)
    if (status === 401) res.setHeader('www-authenticate', requestContext.challenge)
    if (retryAfterSeconds !== undefined) res.setHeader('retry-after', retryAfterSeconds)
    // Cancels calls that still run, such as those of a read that its rate limit refused.
    requestContext.abort()
    sendJson(res, status, body)
  }
}
