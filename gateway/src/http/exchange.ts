import { randomUUID } from 'node:crypto'
import type { CallActor, CallOptions, Idempotency } from '@storekeep/common/grpc'
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
import { quietRoutes } from './quiet-routes.ts'

/** What is known of one request while it is answered. Made by the first middleware, kept in `res.locals`. */
export class Exchange {
  readonly requestId: string
  readonly trace: TraceContext
  /** Of the whole request, when it is recorded. */
  readonly span: Span | undefined
  readonly startedAt = performance.now()
  /** Path template of the matched endpoint. Logs and metrics print it in place of the path. */
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
  /** Public code of the fault that was answered. */
  faultCode: string | undefined
  /** Still open rate-limit question of a read, which runs beside the call; rejects with a 429. */
  admission: Promise<void> | undefined
  /** Of the process. */
  readonly lifecycle: Readonly<{ draining: boolean }>
  readonly #timeoutMs: number
  #hangUp: AbortController | undefined
  #hungUp = false

  constructor(req: Request, { config, lifecycle }: Pick<GatewayContext, 'config' | 'lifecycle'>) {
    const given = req.headers['x-request-id']
    this.requestId = typeof given === 'string' && isRequestId(given) ? given : randomUUID()
    const traceparent = req.headers.traceparent
    const caller = parseTraceparent(typeof traceparent === 'string' ? traceparent : undefined)
    this.span = quietRoutes.has(req.url) ? undefined : startTrace('HTTP', 'server', caller)
    this.trace = this.span?.context ?? unrecordedContext(caller)
    this.lifecycle = lifecycle
    this.#timeoutMs = config.calls.timeoutMs
  }

  /** Aborted when the caller hangs up before the answer is complete, or when the answer is decided without the call. */
  get signal(): AbortSignal {
    this.#hangUp ??= new AbortController()
    if (this.#hungUp) this.#hangUp.abort()
    return this.#hangUp.signal
  }

  get hungUp(): boolean {
    return this.#hungUp
  }

  abort(): void {
    this.#hungUp = true
    this.#hangUp?.abort()
  }

  /** Options of a call made for this request: no call outlives the request's own time. */
  callOptions(atMostMs = Number.POSITIVE_INFINITY): CallOptions {
    const remainingMs = this.startedAt + this.#timeoutMs - performance.now()
    return {
      storeId: this.storeId,
      actor: this.actor,
      requestId: this.requestId,
      traceparent: formatTraceparent(this.trace),
      idempotency: this.idempotency,
      deadlineMs: Math.max(1, Math.min(atMostMs, remainingMs)),
      signal: this.signal,
    }
  }
}

/** The exchange of a response that passed the first middleware. */
export function exchangeOf(res: Response): Exchange {
  return res.locals.exchange as Exchange
}

/** It is logged, so what looks like one of our secrets is none: a prefixed one, or the bare token of a link. */
function isRequestId(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._:/+=-]{0,127}$/.test(text) && !/(?:^|[^a-z])sk[a-z]{2,6}_|[a-z2-7]{28}/.test(text)
}

const noScopes: ReadonlySet<string> = new Set()
