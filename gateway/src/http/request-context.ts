import { randomUUID } from 'node:crypto'
import type { CallActor, CallOptions, CancelSignal, Idempotency } from '@storekeep/common/grpc'
import {
  formatTraceparent,
  parseTraceparent,
  type Span,
  startTrace,
  type TraceContext,
  unrecordedContext,
} from '@storekeep/common/telemetry'
import type { Customer } from '@storekeep/proto/customers/v1/customer'
import type { Request, Response } from 'express'
import type { GatewayContext } from '../context.ts'
import { probeRoutes } from './probe-routes.ts'

/** The state of one request. Created by the first middleware and kept in `res.locals`. */
export class RequestContext {
  readonly requestId: string
  readonly trace: TraceContext
  /** Span of the whole request; undefined when the request is not traced. */
  readonly span: Span | undefined
  readonly startedAt = performance.now()
  /** Path template of the matched endpoint. Logs and metrics use it instead of the path. */
  route = 'none'
  /** `WWW-Authenticate` of a 401. */
  challenge = 'APIKey realm="storekeep"'
  /** The store of the credential or of the store header. */
  storeId: string | undefined
  actor: CallActor | undefined
  apiKeyId: string | undefined
  scopes: ReadonlySet<string> = noScopes
  customer: Customer | undefined
  idempotency: Idempotency | undefined
  body: unknown
  /** Public code of the fault in the response. */
  faultCode: string | undefined
  /** State of the process, not of the request. */
  readonly lifecycle: Readonly<{ draining: boolean }>
  readonly #timeoutMs: number
  /** Aborts when the caller disconnects, or when the response no longer depends on the calls in flight. */
  readonly signal = new RequestSignal()

  constructor(req: Request, { config, lifecycle }: Pick<GatewayContext, 'config' | 'lifecycle'>) {
    const given = req.headers['x-request-id']
    this.requestId = typeof given === 'string' && isRequestId(given) ? given : randomUUID()
    const traceparent = req.headers.traceparent
    const caller = parseTraceparent(typeof traceparent === 'string' ? traceparent : undefined)
    this.span = probeRoutes.has(req.url) ? undefined : startTrace('HTTP', 'server', caller)
    this.trace = this.span?.context ?? unrecordedContext(caller)
    this.lifecycle = lifecycle
    this.#timeoutMs = config.calls.timeoutMs
  }

  get aborted(): boolean {
    return this.signal.aborted
  }

  abort(): void {
    this.signal.abort()
  }

  /** Options for a gRPC call of this request. Its deadline never exceeds the time left for the request. */
  callOptions(maxMs = Number.POSITIVE_INFINITY): CallOptions {
    const remainingMs = this.startedAt + this.#timeoutMs - performance.now()
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

/** The context of a request that passed the first middleware. */
export function requestContextOf(res: Response): RequestContext {
  return res.locals.requestContext as RequestContext
}

/** Request ids are logged, so anything that looks like one of our secrets (prefixed, or a bare link token) is rejected. */
function isRequestId(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._:/+=-]{0,127}$/.test(text) && !/(?:^|[^a-z])sk[a-z]{2,6}_|[a-z2-7]{28}/.test(text)
}

const noScopes: ReadonlySet<string> = new Set()
