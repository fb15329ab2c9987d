import type { DescMethodUnary } from '@bufbuild/protobuf'
import * as grpc from '@grpc/grpc-js'
import { errors, ServiceFault } from '../errors/index.ts'
import type { Logger } from '../log/index.ts'
import { attributes, type Metrics, recordedParent, type Span, startSpan, values, withSpan } from '../telemetry/index.ts'
import { type Call, type IncomingCall, methodName, receiveCall } from './call.ts'
import { type FailedCall, faultToStatus } from './fault-status.ts'

/** Runs a handler for a call, however it came. Never rejects. */
export type RunCall = (request: unknown, incoming: IncomingCall) => Promise<CallOutcome>

/** The message that answers the call, or why there is none. */
export type CallOutcome = { response: unknown } | { failed: FailedCall }

/** The same around every handler: the deadline is heeded, the call measured and traced, a fault of ours logged. */
export function createCallRunner({ log, metrics }: { log: Logger; metrics: Metrics }): CallRunner {
  const duration = metrics.histogram(
    'rpc_server_call_duration_seconds',
    'How long calls took on the server, by method and status.',
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
        // Whoever waited for this has given up while it was queued.
        if (incoming.isCanceled() || call.remainingMs() === 0) {
          throw errors.unavailable(new Error('the deadline has passed'))
        }
        const response = await withSpan(span, () => handler(request as never, call as never))
        observe('OK', started)
        endServerSpan(span, 'OK')
        return { response }
      } catch (error) {
        const failed = faultToStatus(error)
        logFault(call, error)
        const code = grpc.status[failed.code] ?? 'UNKNOWN'
        observe(code, started)
        endServerSpan(span, code)
        return { failed }
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
  if (faultsOfOurs.has(code)) span.fail(code)
  span.end()
}

/** By the conventions the others are the caller's mistakes, which are no failure of the server. */
const faultsOfOurs: ReadonlySet<string> = new Set([
  'UNKNOWN',
  'DEADLINE_EXCEEDED',
  'UNIMPLEMENTED',
  'INTERNAL',
  'UNAVAILABLE',
  'DATA_LOSS',
])

/** Faults of ours are logged with their cause; a caller's mistake is its own to read, not an event of ours. */
function logFault(call: Call, error: unknown): void {
  if (!(error instanceof ServiceFault) || error.code === 'internal-error') {
    call.log.error({ err: error }, 'call failed by a mistake of ours')
  } else if (error.code === 'service-unavailable') {
    call.log.warn({ err: error }, 'call failed because a part is unavailable')
  }
}
