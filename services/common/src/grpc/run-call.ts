import type { DescMethodUnary } from '@bufbuild/protobuf'
import * as grpc from '@grpc/grpc-js'
import { errors, ServiceFault } from '../errors/index.ts'
import type { Logger } from '../log/index.ts'
import { attributes, type Metrics, recordedParent, type Span, startSpan, values, withSpan } from '../telemetry/index.ts'
import { type Call, type IncomingCall, methodName, receiveCall } from './call.ts'
import { type CallFailure, faultToStatus } from './fault-status.ts'

/** Runs the handler of a method for one call. Never rejects. */
export type RunCall = (request: unknown, incoming: IncomingCall) => Promise<CallOutcome>

/** The response message, or the reason why there is none. */
export type CallOutcome = { response: unknown } | { failure: CallFailure }

/** Wraps handlers: rejects calls past their deadline, measures and traces every call, and logs internal failures. */
export function createCallRunner({ log, metrics }: { log: Logger; metrics: Metrics }): CallRunner {
  const duration = metrics.histogram(
    'rpc_server_call_duration_seconds',
    'Duration of gRPC calls on the server, by method and status.',
    ['rpc_method', 'rpc_status_code'],
  )
  return (method, handler) => {
    const name = methodName(method)
    const observe = (code: string, started: number) =>
      duration.observe({ rpc_method: name, rpc_status_code: code }, (performance.now() - started) / 1000)
    return async (request, incoming) => {
      const started = performance.now()
      const span = startServerSpan(name, incoming)
      const call = receiveCall(method, incoming, log, span)
      try {
        // The caller gave up while the call was queued.
        if (incoming.isCanceled() || call.remainingMs() === 0) {
          throw errors.unavailable(new Error('the deadline has passed'))
        }
        const response = await withSpan(span, () => handler(request as never, call as never))
        observe('OK', started)
        endServerSpan(span, 'OK')
        return { response }
      } catch (error) {
        const failure = faultToStatus(error)
        logFailure(call, error)
        const code = grpc.status[failure.code] ?? 'UNKNOWN'
        observe(code, started)
        endServerSpan(span, code)
        return { failure }
      }
    }
  }
}

export type CallRunner = (method: DescMethodUnary, handler: Handler) => RunCall

export type Handler = (request: never, call: never) => Promise<unknown>

function startServerSpan(name: string, { traceparent, storeId }: IncomingCall): Span | undefined {
  const parent = recordedParent(traceparent)
  return (
    parent &&
    startSpan(name, 'server', parent, {
      [attributes.rpcSystemName]: values.grpc,
      [attributes.rpcMethod]: name,
      [attributes.storeId]: storeId,
    })
  )
}

function endServerSpan(span: Span | undefined, code: string): void {
  if (!span) return
  span.set({ [attributes.rpcStatusCode]: code })
  if (serverErrors.has(code)) span.fail(code)
  span.end()
}

/** The statuses that fail a server span; by the semantic conventions, all others are errors of the caller. */
const serverErrors: ReadonlySet<string> = new Set([
  'UNKNOWN',
  'DEADLINE_EXCEEDED',
  'UNIMPLEMENTED',
  'INTERNAL',
  'UNAVAILABLE',
  'DATA_LOSS',
])

/** Logs internal errors and outages with their cause. Errors of the caller are not logged. */
function logFailure(call: Call, error: unknown): void {
  if (!(error instanceof ServiceFault) || error.code === 'internal-error') {
    call.log.error({ err: error }, 'RPC failed: internal error')
  } else if (error.code === 'service-unavailable') {
    call.log.warn({ err: error }, 'RPC failed: dependency unavailable')
  }
}
