import type { DescMethodUnary } from '@bufbuild/protobuf'
import { attributes, recordedParent, startSpan, values } from '../telemetry/index.ts'
import { type CallOptions, methodName } from './call.ts'

/** Starts the client span of a call, which covers all attempts; undefined if the call is not recorded. */
export function startClientSpan(method: DescMethodUnary, host: string, options: CallOptions): ClientSpan | undefined {
  const parent = recordedParent(options.traceparent)
  if (!parent) return undefined
  const name = methodName(method)
  const span = startSpan(name, 'client', parent, {
    [attributes.rpcSystemName]: values.grpc,
    [attributes.rpcMethod]: name,
    [attributes.serverAddress]: host,
    [attributes.storeId]: options.storeId,
  })
  return (
    span && {
      traceparent: span.traceparent,
      end(code) {
        span.set({ [attributes.rpcStatusCode]: code })
        if (code !== 'OK') span.fail(code)
        span.end()
      },
    }
  )
}

interface ClientSpan {
  /** Sent to the server. */
  traceparent: string
  /** @param code name of the gRPC status: `OK`, `UNAVAILABLE` */
  end(code: string): void
}
