import type { DescMethodUnary } from '@bufbuild/protobuf'
import { type Actor, ActorType } from '@storekeep/proto/common/v1/actor'
import { errors } from '../errors/index.ts'
import { isFlakeId } from '../flake/index.ts'
import { type Logger, withFields } from '../log/index.ts'
import { childContext, formatTraceparent, parseTraceparent, type Span, type TraceContext } from '../telemetry/index.ts'

/** The context of a call. Passed to every handler. */
export interface Call<M extends DescMethodUnary = DescMethodUnary> {
  /** Descriptor of the RPC. */
  method: M
  /** Flake id of the store that the credential belongs to; undefined for the operator's calls. */
  storeId: string | undefined
  actor: CallActor
  requestId: string
  traceparent: string
  traceId: string
  /** Present when the HTTP caller sent an Idempotency-Key. */
  idempotency: Idempotency | undefined
  /** Aborted when the caller cancels or its deadline passes. */
  signal: AbortSignal
  /** Milliseconds until the caller's deadline; never negative. */
  remainingMs(): number
  log: Logger
}

/** An Actor as a plain object; `id` is a flake id. */
export type CallActor = Pick<Actor, 'type' | 'id'>

export interface Idempotency {
  /** As the caller sent it. */
  key: string
  /** Method and concrete path. The same key on another path is a different key (contract section A, Idempotency). */
  scope: string
}

/**
 * Returns the store of a call.
 * @throws ServiceFault `internal-error` if the calling process sent no store, `not-found` if the id is malformed
 */
export function requireStore({ storeId, method }: Pick<Call, 'storeId' | 'method'>): string {
  if (storeId === undefined) throw errors.internal(new Error(`${method.name} was called without a store`))
  if (!isFlakeId(storeId)) throw errors.notFound('store')
  return storeId
}

/** What a caller sends beside the request. The handler receives it as `Call`. */
export interface CallOptions {
  storeId?: string | undefined
  /** The cell to call if the call names no store, such as an API key's cell. Needed only by processes that serve several cells. */
  cell?: number | undefined
  actor?: CallActor | undefined
  requestId: string
  traceparent: string
  idempotency?: Idempotency | undefined
  /** Milliseconds from now. Default: 3,000. */
  deadlineMs?: number | undefined
  /** Disables hedging, for a read that is slow or expensive by nature. */
  isHeavy?: boolean | undefined
  /**
   * For how long the called service may hold its response back on purpose. Until then its silence does not count as a sign that it is
   * unresponsive. A stream and its connection wait for such a call when they close, but not for longer than 10 s.
   */
  holdMs?: number | undefined
  /** Aborting it cancels the call. */
  signal?: CancelSignal | undefined
}

/** The part of an AbortSignal that calls use. Creating and watching an AbortSignal for each request is expensive. */
export interface CancelSignal {
  readonly aborted: boolean
  addEventListener(event: 'abort', listener: () => void): void
  removeEventListener(event: 'abort', listener: () => void): void
}

/**
 * Options for a call made while handling another: same store, actor, request id and trace. The deadline is 50 ms
 * earlier, which leaves time to respond to the outer call. The idempotency key is left out: it belongs to the outer
 * method.
 */
export function onBehalfOf(call: Call): CallOptions {
  return {
    storeId: call.storeId,
    actor: call.actor,
    requestId: call.requestId,
    traceparent: call.traceparent,
    deadlineMs: Math.max(1, call.remainingMs() - 50),
    signal: call.signal,
  }
}

/** What accompanies a request, over the multiplexer or as metadata of a plain RPC. */
export interface CallContext {
  requestId: string
  traceparent: string | undefined
  storeId: string | undefined
  actor: CallActor | undefined
  idempotency: Idempotency | undefined
}

/** A call as the server receives it. */
export interface IncomingCall extends CallContext {
  /** On the clock of `performance.now()`. */
  deadline: number
  isCanceled(): boolean
  /** Calls `listener` if the caller cancels or its deadline passes before the response. */
  onCanceled(listener: () => void): void
}

/**
 * Builds the `Call` of an incoming call.
 * @param span the server span of the call; undefined if the call is not recorded
 */
export function receiveCall(method: DescMethodUnary, incoming: IncomingCall, log: Logger, span?: Span): Call {
  return new ReceivedCall(method, incoming, log, span)
}

/** Creates on first use what most handlers do not use. */
class ReceivedCall implements Call {
  readonly method: DescMethodUnary
  readonly storeId: string | undefined
  readonly actor: CallActor
  readonly requestId: string
  readonly idempotency: Idempotency | undefined
  readonly #incoming: IncomingCall
  readonly #processLog: Logger
  readonly #span: Span | undefined
  #context: TraceContext | undefined
  #signal: AbortSignal | undefined
  #log: Logger | undefined

  constructor(method: DescMethodUnary, incoming: IncomingCall, log: Logger, span: Span | undefined) {
    this.method = method
    this.storeId = incoming.storeId
    this.actor = incoming.actor ?? anonymous
    this.requestId = incoming.requestId
    this.idempotency = incoming.idempotency
    this.#incoming = incoming
    this.#processLog = log
    this.#span = span
    this.#context = span?.context
  }

  get traceparent(): string {
    return this.#span?.traceparent ?? formatTraceparent(this.#traceContext())
  }

  get traceId(): string {
    return this.#traceContext().traceId
  }

  get signal(): AbortSignal {
    this.#signal ??= abortedWith(this.#incoming)
    return this.#signal
  }

  get log(): Logger {
    this.#log ??= this.#createLog()
    return this.#log
  }

  remainingMs(): number {
    return Math.max(0, this.#incoming.deadline - performance.now())
  }

  #createLog(): Logger {
    const { traceId, spanId } = this.#traceContext()
    const ids = { request_id: this.requestId, trace_id: traceId, ...(this.#span && { span_id: spanId }) }
    return withFields(this.#processLog, { ...ids, method: methodName(this.method) })
  }

  #traceContext(): TraceContext {
    this.#context ??= childContext(parseTraceparent(this.#incoming.traceparent))
    return this.#context
  }
}

const anonymous: CallActor = { type: ActorType.ANONYMOUS }

/** The actor of work that Storekeep does on its own, not for a request. */
export const internalActor: CallActor = { type: ActorType.INTERNAL }

/** "storekeep.customers.v1.CustomersService/CreateCustomer" */
export function methodName({ parent, name }: DescMethodUnary): string {
  return `${parent.typeName}/${name}`
}

function abortedWith(incoming: IncomingCall): AbortSignal {
  const controller = new AbortController()
  if (incoming.isCanceled()) controller.abort()
  else incoming.onCanceled(() => controller.abort())
  return controller.signal
}
