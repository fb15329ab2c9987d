import * as grpc from '@grpc/grpc-js'
import type { CallerProof } from '@storekeep/proto/common/v1/multiplex_service'
import type { ServerName } from '@storekeep/proto/conventions/call-rights'
import { errors, ServiceFault } from '../errors/index.ts'
import type { ProcessIdentity } from '../identity/index.ts'
import type { Metrics } from '../telemetry/index.ts'
import { channelCredentials } from '../unsupported/tls-credentials.ts'
import { asBuffer, type InputInit, isRead, methodDefinition, type Output, type UnaryService } from './adapter.ts'
import type { CallOptions } from './call.ts'
import { startClientSpan } from './client-span.ts'
import { statusToFault } from './fault-status.ts'
import { createMultiplexClient } from './multiplexer/multiplex-client.ts'
import { maxCallBytes, maxMessageBytes } from './multiplexer/multiplex-definition.ts'
import { MultiplexError } from './multiplexer/multiplexed-stream.ts'
import { createRetry, type Retry } from './retry.ts'
import { exportRetries } from './retry-metrics.ts'

/** A service as its callers see it: one method per RPC. A failed call throws a ServiceFault. */
export type Client<S extends UnaryService> = {
  [K in keyof S['method']]: (
    request: InputInit<S['method'][K]>,
    options: CallOptions,
  ) => Promise<Output<S['method'][K]>>
}

/** Carries unary calls to a service. */
export interface Transport {
  unary<M extends UnaryService['method'][string]>(
    method: M,
    request: InputInit<M>,
    options: CallOptions,
  ): Promise<Output<M>>
  close(): void
}

/** Creates a typed client of a generated service. Create one per process and service. */
export function createClient<S extends UnaryService>(service: S, transport: Pick<Transport, 'unary'>): Client<S> {
  const methods: Record<string, unknown> = {}
  for (const [name, method] of Object.entries(service.method)) {
    methods[name] = (request: InputInit<typeof method>, options: CallOptions) =>
      transport.unary(method, request, options)
  }
  return methods as Client<S>
}

/**
 * Creates a transport over grpc-js: one channel with multiplexed streams, separate ones for large requests. See
 * multiplexer/README.md.
 *
 * - A call has a deadline of 3 s unless `deadlineMs` is set.
 * - Reads and writes with an idempotency key are retried on UNAVAILABLE (`createRetry`). A write without a key is retried
 *   only if it was not sent.
 * - A read without a response after 500 ms is hedged unless it is marked `isHeavy`. With one of two replicas
 *   unresponsive, no read fails at up to about 80 reads per second and process. At higher rates the retry budget runs out
 *   before the replica is known to be unresponsive, and some reads fail at their deadline.
 */
export function createGrpcTransport({ to, address, cell, identity, metrics }: TransportOptions): GrpcTransport {
  const { name, tls, keys } = identity
  const credentials = tls ? channelCredentials(tls) : grpc.credentials.createInsecure()
  const client = new grpc.Client(address, credentials, channelOptions)
  const prove = (nonce: Uint8Array) => {
    const mac = keys?.prove(name, to, nonce)
    return mac && ({ $typeName: 'storekeep.common.v1.CallerProof', name, mac } satisfies CallerProof)
  }
  const small = createMultiplexClient(client, prove)
  const large = createMultiplexClient(client, prove)
  const retry: Retry = createRetry(metrics && exportRetries(metrics, { address, cell }, () => retry.tokens()))
  const host = address.replace(/^dns:\/\/[^/]*\//, '').replace(/:\d+$/, '')

  return {
    async unary(method, request, given) {
      const { path, requestSerialize, responseDeserialize } = methodDefinition(method)
      const bytes = requestSerialize(request)
      if (bytes.length > maxCallBytes) throw errors.internal(new Error(`The request of ${path} is too long.`))
      const span = startClientSpan(method, host, given)
      const options = span ? { ...given, traceparent: span.traceparent } : given
      const deadline = performance.now() + (options.deadlineMs ?? defaultDeadlineMs)
      const isRepeatable = isRead(method) || options.idempotency !== undefined
      const attempt = () => {
        const multiplexer = bytes.length > smallBytes ? large : small
        if (isRead(method) && !options.isHeavy)
          return multiplexer.callHedged(path, bytes, options, deadline, retry.mayHedge)
        return multiplexer.call(path, bytes, options, deadline)
      }
      try {
        const responseBytes = await retry.run(attempt, {
          isRetryable: (error) => isUnavailable(error) && (isRepeatable || !error.wasSent),
          wasSent: (error) => !(error instanceof MultiplexError) || error.wasSent,
          remainingMs: () => deadline - performance.now(),
          signal: options.signal,
        })
        const response = responseDeserialize(asBuffer(responseBytes))
        span?.end('OK')
        return response
      } catch (error) {
        span?.end(error instanceof MultiplexError ? (grpc.status[error.failure.code] ?? 'UNKNOWN') : 'INTERNAL')
        throw error instanceof MultiplexError ? statusToFault(error.failure, error) : error
      }
    },
    isReachable: () => small.isReachable(),
    close() {
      small.close()
      large.close()
      client.close()
    },
  }
}

export interface GrpcTransport extends Transport {
  /** See `MultiplexClient`. */
  isReachable(): boolean | undefined
}

export interface TransportOptions {
  /** The process to call. */
  to: ServerName
  /** `host:port`, or `dns:///host:port` for a headless Service, to spread streams over its replicas. */
  address: string
  /** The cell of the called process; a label of the metrics. */
  cell?: number
  /** Exports retry metrics if given. */
  metrics?: Metrics
  /** The calling process. With TLS, the server's certificate must match the host of the address. */
  identity: ProcessIdentity
}

/** Larger requests use separate streams, so that they do not delay small ones. */
const smallBytes = 64 * 1024
const defaultDeadlineMs = 3000
const channelOptions: grpc.ClientOptions = {
  'grpc.max_receive_message_length': maxMessageBytes,
  'grpc.max_send_message_length': maxMessageBytes,
  // Longer than a connection to a live server lasts (see its max_connection_age): grpc-js treats a ping that falls due
  // during a graceful close as a failure and cuts the connection with its calls. So only connections to vanished servers
  // are pinged. The multiplexer already sends no new calls to a server that has been silent for a second.
  'grpc.keepalive_time_ms': 60_000,
  'grpc.keepalive_timeout_ms': 10_000,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1_000,
  // The default of 30 s is longer than a rolling restart of two replicas: both would be gone before DNS is queried again.
  'grpc.dns_min_time_between_resolutions_ms': 1_000,
  'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
}

/** Whether the service rejected the call because the calling process has no right to it. */
export function isRejected(fault: unknown): boolean {
  const cause = fault instanceof ServiceFault ? fault.cause : undefined
  return cause instanceof MultiplexError && cause.failure.code === grpc.status.PERMISSION_DENIED
}

function isUnavailable(error: unknown): error is MultiplexError {
  return error instanceof MultiplexError && error.failure.code === grpc.status.UNAVAILABLE
}
