import * as grpc from '@grpc/grpc-js'
import { type InputInit, isRead, methodDefinition, type Output, type UnaryService } from './adapter.ts'
import { type CallOptions, callToMetadata } from './call.ts'
import { statusToFault } from './fault-status.ts'

/** A service as its callers see it: one method per rpc. A failed call throws a ServiceFault. */
export type Client<S extends UnaryService> = {
  [K in keyof S['method']]: (
    request: InputInit<S['method'][K]>,
    options: CallOptions,
  ) => Promise<Output<S['method'][K]>>
}

/** How a unary call travels. The one seam to change when calls shall travel otherwise. */
export interface Transport {
  unary<M extends UnaryService['method'][string]>(
    method: M,
    request: InputInit<M>,
    options: CallOptions,
  ): Promise<Output<M>>
  close(): void
}

/** A typed client of a generated service over a transport. Made once per process. */
export function createClient<S extends UnaryService>(service: S, transport: Transport): Client<S> {
  const methods: Record<string, unknown> = {}
  for (const [name, method] of Object.entries(service.method)) {
    methods[name] = (request: InputInit<typeof method>, options: CallOptions) =>
      transport.unary(method, request, options)
  }
  return methods as Client<S>
}

/**
 * A transport over grpc-js.
 *
 * A call has a deadline of 3 s unless its options say otherwise. Calls that are safe to repeat, reads and writes
 * that carry an idempotency key, are tried again on UNAVAILABLE (4 attempts, 20 to 200 ms apart, at most one retry
 * in five calls once a service is down); a write without a key is not, since its first attempt may have happened.
 *
 * @param address `host:port`, or `dns:///host:port` for a headless Service, whose replicas take turns
 */
export function createGrpcTransport({ address }: { address: string }): Transport {
  const credentials = grpc.credentials.createInsecure()
  // Both share their connections: grpc-js pools them by address and options that concern connecting.
  const once = new grpc.Client(address, credentials, { ...channelOptions, ...serviceConfig({ retry: false }) })
  const repeating = new grpc.Client(address, credentials, { ...channelOptions, ...serviceConfig({ retry: true }) })

  return {
    unary(method, request, options) {
      const client = isRead(method) || options.idempotency !== undefined ? repeating : once
      const definition = methodDefinition(method)
      return new Promise((resolve, reject) => {
        const call = client.makeUnaryRequest(
          definition.path,
          definition.requestSerialize,
          definition.responseDeserialize,
          request,
          callToMetadata(options),
          { deadline: Date.now() + (options.deadlineMs ?? defaultDeadlineMs) },
          (error, response) => {
            options.signal?.removeEventListener('abort', cancel)
            if (error) reject(statusToFault(error))
            else resolve(response as Output<typeof method>)
          },
        )
        const cancel = () => call.cancel()
        if (options.signal?.aborted) cancel()
        else options.signal?.addEventListener('abort', cancel, { once: true })
      })
    },
    close() {
      once.close()
      repeating.close()
    },
  }
}

const defaultDeadlineMs = 3000
const messageBytes = 8 * 1024 * 1024
const channelOptions: grpc.ClientOptions = {
  'grpc.max_receive_message_length': messageBytes,
  'grpc.max_send_message_length': messageBytes,
  'grpc.keepalive_time_ms': 20_000,
  'grpc.keepalive_timeout_ms': 5_000,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1_000,
}

function serviceConfig({ retry }: { retry: boolean }): grpc.ClientOptions {
  const retryPolicy = {
    maxAttempts: 4,
    initialBackoff: '0.02s',
    maxBackoff: '0.2s',
    backoffMultiplier: 2,
    retryableStatusCodes: ['UNAVAILABLE'],
  }
  return {
    'grpc.service_config': JSON.stringify({
      loadBalancingConfig: [{ round_robin: {} }],
      ...(retry && {
        methodConfig: [{ name: [{}], retryPolicy }],
        retryThrottling: { maxTokens: 100, tokenRatio: 0.2 },
      }),
    }),
  }
}
