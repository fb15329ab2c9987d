import type { Server, ServerResponse } from 'node:http'
import { errors, ServiceFault } from '../errors/index.ts'
import { http } from '../net/index.ts'
import { withSpan } from '../telemetry/index.ts'
import { checkHeaders } from './check-headers.ts'
import { type GuardContext, guardConnections } from './guard-connections.ts'
import type { HttpMetrics } from './http-metrics.ts'
import { limitConcurrency } from './limit-concurrency.ts'
import { type ObserveContext, observeRequest } from './observe-request.ts'
import { type RenderRejection, rejectConnection } from './reject-connection.ts'
import { HttpMessage, type RequestContext } from './request-context.ts'

/** What a process does with its requests. */
export interface HttpApp<Request extends RequestContext> {
  createRequest(req: HttpMessage, res: ServerResponse): Request
  /** Sets the headers of every response. */
  setHeaders(request: Request): void
  /** Runs the handler of the request; see `createRouter`. */
  route(request: Request, fail: (thrown: unknown) => void): void
  /** Sends the response to a request that failed. Internal details are already logged, and must not be sent. */
  sendFault(request: Request, fault: ServiceFault): Promise<void> | void
  renderRejection: RenderRejection
}

export interface HttpServerContext extends GuardContext, ObserveContext {
  config: GuardContext['config'] & ObserveContext['config']
  metrics: HttpMetrics
}

/** Creates a server with timeouts and limits against slow and hostile clients. */
export function createHttpServer<Request extends RequestContext>(
  app: HttpApp<Request>,
  ctx: HttpServerContext,
): Server {
  const server = http.createServer({
    IncomingMessage: HttpMessage,
    // `checkHeaders` rejects such requests with a body.
    requireHostHeader: false,
    headersTimeout: ctx.config.connections.headersTimeoutMs,
    requestTimeout: 15_000,
    connectionsCheckingInterval: 1_000,
    keepAliveTimeout: 65_000,
    // The longest list filter takes 12 KB when every character is percent-encoded.
    maxHeaderSize: 16 * 1024,
  })
  server.maxRequestsPerSocket = 10_000
  const handle = guardConnections(server, createListener(app, ctx), ctx)
  // `readBody` sends the 100 once the body is wanted.
  for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, handle)
  server.on('clientError', rejectConnection(app.renderRejection))
  return server
}

function createListener<Request extends RequestContext>(
  app: HttpApp<Request>,
  ctx: HttpServerContext,
): Parameters<typeof guardConnections>[1] {
  const assertConcurrency = limitConcurrency(ctx)
  return (req, res, onEnd) => {
    const request = app.createRequest(req as HttpMessage, res)
    request.onEnd = onEnd
    res.setHeader('x-request-id', request.requestId)
    res.once('close', () => {
      if (!res.writableFinished) request.abort()
      observeRequest(ctx, request)
    })
    withSpan(request.span, () => {
      const fail = (thrown: unknown) => void sendFault(app, ctx, request, thrown)
      try {
        app.setHeaders(request)
        checkHeaders(req)
        assertConcurrency(request)
        app.route(request, fail)
      } catch (error) {
        fail(error)
      }
    })
  }
}

async function sendFault<Request extends RequestContext>(
  app: HttpApp<Request>,
  { log }: HttpServerContext,
  request: Request,
  thrown: unknown,
): Promise<void> {
  const { res, signal } = request
  const fault = asFault(thrown)
  const { code } = fault
  request.faultCode = code
  if (code === 'internal-error' || (code === 'service-unavailable' && !signal.aborted)) {
    const fields = {
      err: fault,
      code,
      route: request.route,
      request_id: request.requestId,
      trace_id: request.trace.traceId,
    }
    log[code === 'internal-error' ? 'error' : 'warn'](fields, 'request failed')
  }
  if (res.headersSent) {
    res.destroy()
    return
  }
  const retryAfterSeconds = fault.retryAfterSeconds ?? (code === 'service-unavailable' ? 1 : undefined)
  if (retryAfterSeconds !== undefined) res.setHeader('retry-after', retryAfterSeconds)
  // Cancels calls that still run, such as the calls of a read that its rate limit rejected.
  request.abort()
  try {
    await app.sendFault(request, fault)
  } catch (error) {
    log.error({ err: error, route: request.route, request_id: request.requestId }, 'error response failed')
    res.destroy()
  }
}

function asFault(thrown: unknown): ServiceFault {
  if (thrown instanceof ServiceFault) return thrown
  // The only error that the router itself raises: a path whose percent-encoding cannot be decoded.
  if (thrown instanceof URIError) return errors.badRequest('The path contains an invalid percent-encoding.')
  return errors.internal(thrown)
}
