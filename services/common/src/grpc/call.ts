import type { DescMethodUnary } from '@bufbuild/protobuf'
import { type Actor, ActorType } from '@storekeep/proto/common/v1/actor'
import { errors } from '../errors/index.ts'
import { isFlakeId } from '../flake/index.ts'
import type { Logger } from '../log/index.ts'
import { childContext, formatTraceparent, parseTraceparent, type Span } from '../telemetry/index.ts'

/** Who and what is behind a call, read from its metadata. Handed to every handler. */
export interface Call<M extends DescMethodUnary = DescMethodUnary> {
  /** Descriptor of the rpc. */
  method: M
  /** Flake id of the store that the credential belongs to; undefined for calls of the operator. */
  storeId: string | undefined
  actor: CallActor
  requestId: string
  traceparent: string
  traceId: string
  /** Present when the HTTP caller sent an Idempotency-Key. */
  idempotency: Idempotency | undefined
  /** Aborted when the caller hangs up or its deadline passes. */
  signal: AbortSignal
  /** Milliseconds until the caller's deadline; never negative. */
  remainingMs(): number
  log: Logger
}

/** Actor as a plain value; `id` is a flake id. */
export type CallActor = Pick<Actor, 'type' | 'id'>

export interface Idempotency {
  /** As the caller sent it. */
  key: string
  /** Verb and concrete path: the same key on another path is another key (contract section A, Idempotency). */
  scope: string
}

/**
 * The store of the call. A call without one is a mistake of the calling process, not of its user.
 * @throws ServiceFault `not-found` for a text that cannot be the id of a store
 */
export function requireStore({ storeId, method }: Pick<Call, 'storeId' | 'method'>): string {
  if (storeId === undefined) throw errors.internal(new Error(`${method.name} was called without a store`))
  if (!isFlakeId(storeId)) throw errors.notFound('store')
  return storeId
}

/**
 * For the rpcs that only the operator has: their services answer stores' calls on the same port.
 * @throws ServiceFault `forbidden` unless the actor is an admin or a process of the product itself
 */
export function requireOperator({ actor }: Pick<Call, 'actor'>): void {
  if (actor.type !== ActorType.ADMIN && actor.type !== ActorType.INTERNAL) throw errors.forbidden()
}

/** What a caller says beside the request. The server reads it as `Call`. */
export interface CallOptions {
  storeId?: string | undefined
  actor?: CallActor | undefined
  requestId: string
  traceparent: string
  idempotency?: Idempotency | undefined
  /** Milliseconds from now; 3,000 unless given. */
  deadlineMs?: number | undefined
  /** For a read that takes long or much by its nature: it is not put to a second replica when the first lets it wait. */
  isHeavy?: boolean | undefined
  /** Aborting it cancels the call. */
  signal?: AbortSignal | undefined
}

/**
 * Options for a call made on behalf of another: same store, actor, request and trace. Its deadline leaves 50 ms of
 * the outer one, so that the outer call can still answer. The idempotency key stays behind: it belongs to the
 * outer method.
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

/** What travels beside the request of a call, however it travels. */
export interface CallContext {
  requestId: string
  traceparent: string | undefined
  storeId: string | undefined
  actor: CallActor | undefined
  idempotency: Idempotency | undefined
}

/** A call as it arrives. */
export interface IncomingCall extends CallContext {
  /** In milliseconds since 1970. */
  deadline: number
  isCanceled(): boolean
  /** Runs it when the caller hangs up or its deadline passes before the answer. */
  onCanceled(run: () => void): void
}

/** @param span of the call, when it is recorded */
export function receiveCall(method: DescMethodUnary, incoming: IncomingCall, log: Logger, span?: Span): Call {
  const { requestId, storeId, idempotency, deadline, actor = { type: ActorType.ANONYMOUS } } = incoming
  const context = span?.context ?? childContext(parseTraceparent(incoming.traceparent))
  let signal: AbortSignal | undefined
  let callLog: Logger | undefined
  return {
    method,
    storeId,
    actor,
    requestId,
    traceparent: span?.traceparent ?? formatTraceparent(context),
    traceId: context.traceId,
    idempotency,
    // Most handlers never look at these two, so they are made when asked for.
    get signal() {
      signal ??= abortedWith(incoming)
      return signal
    },
    remainingMs: () => Math.max(0, deadline - Date.now()),
    get log() {
      const { traceId, spanId } = context
      const ids = { request_id: requestId, trace_id: traceId, ...(span && { span_id: spanId }) }
      callLog ??= log.child({ ...ids, method: methodName(method) })
      return callLog
    },
  }
}

/** The product's own processes, acting without anybody's request. */
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
