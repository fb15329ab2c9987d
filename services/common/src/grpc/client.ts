import * as grpc from '@grpc/grpc-js'
import { type InputInit, isRead, methodDefinition, type Output, type UnaryService } from './adapter.ts'
import { type CallOptions, callToMetadata } from './call.ts'
import { statusToFault } from './fault-status.ts'
import { createRetry } from './retry.ts'

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
 * A transport over grpc-js: one channel, whose connections are shared by all calls.
 *
 * A call has a deadline of 3 s unless its options say otherwise. Calls that are safe to repeat, reads and writes that
 * carry an idempotency key, are tried again on UNAVAILABLE (see `createRetry`). A write without a key is not, since
 * its first attempt may have happened; only what grpc-js knows to have never reached a handler is sent again.
 *
 * @param address `host:port`, or `dns:///host:port` for a headless Service, whose replicas take turns
 */
export function createGrpcTransport({ address }: { address: string }): Transport {
  const client = new grpc.Client(address, grpc.credentials.createInsecure(), channelOptions)
  const retry = createRetry()

  return {
    async unary(method, request, options) {
      const deadline = Date.now() + (options.deadlineMs ?? defaultDeadlineMs)
      const attempt = () => callOnce(client, method, request, options, deadline)
      try {
        if (!isRead(method) && options.idempotency === undefined) return await attempt()
        const remainingMs = () => deadline - Date.now()
        return await retry.run(attempt, { isTransient, remainingMs, signal: options.signal })
      } catch (error) {
        throw statusToFault(error as grpc.ServiceError)
      }
    },
    close: () => client.close(),
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
  'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
}

/** Rejects with the gRPC status of a call that failed. */
function callOnce<M extends UnaryService['method'][string]>(
  client: grpc.Client,
  method: M,
  request: InputInit<M>,
  options: CallOptions,
  deadline: number,
): Promise<Output<M>> {
  const { path, requestSerialize, responseDeserialize } = methodDefinition(method)
  const { signal } = options
  return new Promise((resolve, reject) => {
    const call = client.makeUnaryRequest(
      path,
      requestSerialize,
      responseDeserialize,
      request,
      callToMetadata(options),
      { deadline },
      (error, response) => {
        signal?.removeEventListener('abort', cancel)
        if (error) reject(error)
        else resolve(response as Output<M>)
      },
    )
    const cancel = () => call.cancel()
    if (signal?.aborted) cancel()
    else signal?.addEventListener('abort', cancel, { once: true })
  })
}

function isTransient(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === grpc.status.UNAVAILABLE
}
