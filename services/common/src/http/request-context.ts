import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { BlockList } from 'node:net'
import type { CallActor, CallOptions, CancelSignal, Idempotency } from '../grpc/index.ts'
import { http } from '../net/index.ts'
import {
  formatTraceparent,
  parseTraceparent,
  type Span,
  startTrace,
  type TraceContext,
  unrecordedContext,
} from '../telemetry/index.ts'
import { callerAddress } from './peer-address.ts'

/** A request of `node:http` with a place for its context, from which the handlers of the router get it. */
export class HttpMessage extends http.IncomingMessage {
  context: unknown = undefined
}

/** The state of one request, which a process extends with its own. */
export class RequestContext {
  readonly req: HttpMessage
  readonly res: ServerResponse
  readonly requestId: string
  readonly trace: TraceContext
  /** Span of the whole request; undefined when the request is not traced. */
  readonly span: Span | undefined
  readonly startedAt = performance.now()
  /** Path template of the matched route. Logs, metrics and spans have it instead of the path, which contains ids and tokens. */
  route = 'none'
  /** Decoded path parameters of the matched route. */
  params: Readonly<Record<string, string | string[]>> = none
  storeId: string | undefined
  actor: CallActor | undefined
  idempotency: Idempotency | undefined
  /** Called once the response is written completely. */
  onEnd: (() => void) | undefined
  /** Set by the limit on concurrent requests: the request no longer counts. Idempotent. */
  leaveConcurrency: (() => void) | undefined
  /** Time for which the request was held back on purpose, in milliseconds. It is not part of its duration. */
  heldMs = 0
  /** Public code of the fault in the response. */
  faultCode: string | undefined
  /** Aborts when the client disconnects, or when the response no longer depends on the calls in flight. */
  readonly signal: CancelSignal
  #extraMs = 0
  readonly #abort = new RequestSignal()
  readonly #ctx: RequestEnvironment

  constructor(req: HttpMessage, res: ServerResponse, ctx: RequestEnvironment) {
    this.req = req
    req.context = this
    this.res = res
    this.signal = this.#abort
    this.#ctx = ctx
    const given = req.headers['x-request-id']
    this.requestId = typeof given === 'string' && isRequestId(given) ? given : randomUUID()
    const traceparent = req.headers.traceparent
    const caller = parseTraceparent(typeof traceparent === 'string' ? traceparent : undefined)
    this.span = probeRoutes.has(req.url ?? '') ? undefined : startTrace('HTTP', 'server', caller)
    this.trace = this.span?.context ?? unrecordedContext(caller)
  }

  /** Address of the client, as seen behind trusted proxies. */
  get address(): string {
    return callerAddress(this.req, this.#ctx.config.http.trustedProxies)
  }

  /** Additional fields of the log line. */
  get logFields(): object {
    return none
  }

  abort(): void {
    this.#abort.abort()
  }

  /**
   * Holds the response back on purpose, as a long poll does. The time limit of the request is extended, and the request no longer
   * counts as concurrent: what holds requests limits their number itself.
   *
   * @param maxMs for how long at most
   * @returns ends it; call it once
   */
  hold(maxMs: number): () => void {
    this.#extraMs += maxMs
    this.leaveConcurrency?.()
    const heldAt = performance.now()
    return () => {
      this.heldMs += performance.now() - heldAt
    }
  }

  /** Options for a gRPC call of this request. Its deadline never exceeds the time left for the request. */
  callOptions(maxMs = Number.POSITIVE_INFINITY): CallOptions {
    const timeoutMs = this.#ctx.config.calls.timeoutMs + this.#extraMs
    const remainingMs = this.startedAt + timeoutMs - performance.now()
    return {
      storeId: this.storeId,
      actor: this.actor,
      requestId: this.requestId,
      traceparent: formatTraceparent(this.trace),
      idempotency: this.idempotency,
      deadlineMs: Math.max(1, Math.min(maxMs, remainingMs)),
      signal: this.signal,
    }
  }

  /** Ends the response, whose other headers are already set. */
  send(status: number, body?: string | Buffer): void {
    const { req, res } = this
    res.statusCode = status
    if (this.#ctx.lifecycle.draining || stillExpectsContinue(req) || req.isPaused())
      res.setHeader('connection', 'close')
    if (body !== undefined) res.setHeader('content-length', Buffer.byteLength(body))
    res.end(body)
    this.onEnd?.()
  }
}

/** The parts of the context of a process that requests use. */
export interface RequestEnvironment {
  config: {
    http: {
      /** Peers whose X-Forwarded-For is trusted. */
      trustedProxies: BlockList
    }
    calls: {
      /** Total time for a request, from its arrival to the last service response. */
      timeoutMs: number
    }
  }
  lifecycle: Lifecycle
}

export interface Lifecycle {
  /** While it is draining, readiness fails and responses close their connections. */
  draining: boolean
  /** Called once when draining begins: ends the requests that are held back. */
  onDraining?: () => void
}

class RequestSignal implements CancelSignal {
  aborted = false
  #listeners: (() => void)[] = []

  abort(): void {
    if (this.aborted) return
    this.aborted = true
    const listeners = this.#listeners
    this.#listeners = []
    for (const listener of listeners) listener()
  }

  addEventListener(_event: 'abort', listener: () => void): void {
    this.#listeners.push(listener)
  }

  removeEventListener(_event: 'abort', listener: () => void): void {
    const index = this.#listeners.indexOf(listener)
    if (index >= 0) this.#listeners.splice(index, 1)
  }
}

/** Paths that load balancers and Prometheus request every few seconds. They are not traced, and logged at debug level. */
export const probeRoutes: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics'])

/** Request ids are logged, so anything that looks like one of our secrets (prefixed, or a bare link token) is rejected. */
function isRequestId(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._:/+=-]{0,127}$/.test(text) && !/(?:^|[^a-z])sk[a-z]{2,6}_|[a-z2-7]{28}/.test(text)
}

/** The client holds its body back and never got a 100: whether it still sends it would be ambiguous. */
function stillExpectsContinue(req: HttpMessage): boolean {
  return req.headers.expect !== undefined && req.readableFlowing === null
}

const none: Readonly<Record<string, never>> = Object.freeze({})
