import * as grpc from '@grpc/grpc-js'
import { errors } from '../errors/index.ts'
import type { Metrics } from '../telemetry/index.ts'
import type { TlsIdentity } from '../tls/index.ts'
import { asBuffer, type InputInit, isRead, methodDefinition, type Output, type UnaryService } from './adapter.ts'
import type { CallOptions } from './call.ts'
import { startClientSpan } from './client-span.ts'
import { createExchangeClient } from './exchange-client.ts'
import { maxCallBytes, maxMessageBytes } from './exchange-definition.ts'
import { ExchangeError } from './exchange-stream.ts'
import { statusToFault } from './fault-status.ts'
import { createRetry, type Retry } from './retry.ts'
import { exportRetries } from './retry-metrics.ts'
import { channelCredentials } from './tls-credentials.ts'

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
 * A transport over grpc-js: one channel, on whose streams all calls travel together (ExchangeService), large ones apart
 * from the others.
 *
 * A call has a deadline of 3 s unless its options say otherwise. Calls that are safe to repeat, reads and writes that
 * carry an idempotency key, are tried again on UNAVAILABLE (see `createRetry`). A write without a key is tried again
 * only while it has not been sent, since otherwise its first attempt may have happened. A read that waits, and is not
 * meant to take long, is put to a second replica too (`hedge`). While one of two stands still this lets no read fail at
 * up to about 80 a second from one process; at more, the budget that keeps slow services from being asked double ends
 * before the standstill is noticed, and some reads fail at their deadline.
 */
export function createGrpcTransport({ address, metrics, tls }: TransportOptions): Transport {
  const credentials = tls ? channelCredentials(tls) : grpc.credentials.createInsecure()
  const client = new grpc.Client(address, credentials, channelOptions)
  const small = createExchangeClient(client)
  const large = createExchangeClient(client)
  const retry: Retry = createRetry(metrics && exportRetries(metrics, address, () => retry.tokens()))
  const host = address.replace(/^dns:\/\/[^/]*\//, '').replace(/:\d+$/, '')

  return {
    async unary(method, request, given) {
      const { path, requestSerialize, responseDeserialize } = methodDefinition(method)
      const bytes = requestSerialize(request)
      if (bytes.length > maxCallBytes) throw errors.internal(new Error(`The request of ${path} is too long.`))
      const span = startClientSpan(method, host, given)
      const options = span ? { ...given, traceparent: span.traceparent } : given
      const deadline = Date.now() + (options.deadlineMs ?? defaultDeadlineMs)
      const isRepeatable = isRead(method) || options.idempotency !== undefined
      const attempt = () => {
        const exchange = bytes.length > smallBytes ? large : small
        if (isRead(method) && !options.isHeavy)
          return exchange.callHedged(path, bytes, options, deadline, retry.mayHedge)
        return exchange.call(path, bytes, options, deadline)
      }
      try {
        const answer = await retry.run(attempt, {
          mayHelp: (error) => isUnavailable(error) && (isRepeatable || !error.wasSent),
          wasSent: (error) => !(error instanceof ExchangeError) || error.wasSent,
          remainingMs: () => deadline - Date.now(),
          signal: options.signal,
        })
        const response = responseDeserialize(asBuffer(answer))
        span?.end('OK')
        return response
      } catch (error) {
        span?.end(error instanceof ExchangeError ? (grpc.status[error.failed.code] ?? 'UNKNOWN') : 'INTERNAL')
        throw error instanceof ExchangeError ? statusToFault(error.failed, error) : error
      }
    },
    close() {
      small.close()
      large.close()
      client.close()
    },
  }
}

export interface TransportOptions {
  /** `host:port`, or `dns:///host:port` for a headless Service, whose replicas take turns. */
  address: string
  /** Where retries are shown; nowhere unless given. */
  metrics?: Metrics
  /** Who the process is; the server's certificate must then hold for the host of the address. Plain calls without. */
  tls?: TlsIdentity | undefined
}

/** Larger requests would hold up the others, and travel in the company of their like. */
const smallBytes = 64 * 1024
const defaultDeadlineMs = 3000
const channelOptions: grpc.ClientOptions = {
  'grpc.max_receive_message_length': maxMessageBytes,
  'grpc.max_send_message_length': maxMessageBytes,
  // Longer than any connection to a living server lasts (see its max_connection_age): grpc-js takes a ping that falls due
  // while a connection is being closed in good order for a failure, and cuts it with all that is under way. So only those
  // are asked whose server has gone without a word; and whoever is silent for a second gets no new calls anyway.
  'grpc.keepalive_time_ms': 60_000,
  'grpc.keepalive_timeout_ms': 10_000,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1_000,
  // The usual 30 s is longer than a rolling restart of two replicas takes: both would be gone before the new ones are found.
  'grpc.dns_min_time_between_resolutions_ms': 1_000,
  'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
}

function isUnavailable(error: unknown): error is ExchangeError {
  return error instanceof ExchangeError && error.failed.code === grpc.status.UNAVAILABLE
}
