import type { DescMethodUnary } from '@bufbuild/protobuf'
import * as grpc from '@grpc/grpc-js'
import { errors, ServiceFault } from '../errors/index.ts'
import type { Logger } from '../log/index.ts'
import type { Metrics } from '../telemetry/index.ts'
import { type Call, type IncomingCall, methodName, receiveCall } from './call.ts'
import { type FailedCall, faultToStatus } from './fault-status.ts'

/** Runs a handler for a call, however it came. Never rejects. */
export type RunCall = (request: unknown, incoming: IncomingCall) => Promise<CallOutcome>

/** The message that answers the call, or why there is none. */
export type CallOutcome = { response: unknown } | { failed: FailedCall }

/** The same around every handler: the deadline is heeded, the call measured, a fault of ours logged. */
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
      const call = receiveCall(method, incoming, log)
      try {
        // Whoever waited for this has given up while it was queued.
        if (incoming.isCanceled() || call.remainingMs() === 0) {
          throw errors.unavailable(new Error('the deadline has passed'))
        }
        const response = await handler(request as never, call as never)
        observe('OK', started)
        return { response }
      } catch (error) {
        const failed = faultToStatus(error)
        logFault(call, error)
        observe(grpc.status[failed.code] ?? 'UNKNOWN', started)
        return { failed }
      }
    }
  }
}

export type CallRunner = (method: DescMethodUnary, handler: Handler) => RunCall

export type Handler = (request: never, call: never) => Promise<unknown>

/** Faults of ours are logged with their cause; a caller's mistake is its own to read, not an event of ours. */
function logFault(call: Call, error: unknown): void {
  if (!(error instanceof ServiceFault) || error.code === 'internal-error') {
    call.log.error({ err: error }, 'call failed by a mistake of ours')
  } else if (error.code === 'service-unavailable') {
    call.log.warn({ err: error }, 'call failed because a part is unavailable')
  }
}
