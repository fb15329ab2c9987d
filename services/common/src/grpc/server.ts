import * as grpc from '@grpc/grpc-js'
import { HealthImplementation } from 'grpc-health-check'
import type { Logger } from '../log/index.ts'
import type { Metrics } from '../telemetry/index.ts'
import type { TlsIdentity } from '../tls/index.ts'
import { type Input, methodDefinition, type OutputInit, type UnaryService } from './adapter.ts'
import type { Call } from './call.ts'
import { callFromMetadata } from './call-metadata.ts'
import { createCallerCheck } from './caller-check.ts'
import { maxMessageBytes } from './exchange-definition.ts'
import { createExchangeServer, type ExchangedMethod } from './exchange-server.ts'
import { statusToTrailer } from './fault-status.ts'
import { createCallRunner, type Handler, type RunCall } from './run-call.ts'
import { serverCredentials } from './tls-credentials.ts'

/** One handler per rpc of the service; leaving one out does not compile. */
export type Handlers<S extends UnaryService> = {
  [K in keyof S['method']]: (
    request: Input<S['method'][K]>,
    call: Call<S['method'][K]>,
  ) => Promise<OutputInit<S['method'][K]>>
}

/** Joins a generated service with its handlers, for `createGrpcServer`. */
export function bind<S extends UnaryService>(service: S, handlers: Handlers<S>): BoundService {
  return { service, handlers: handlers as BoundService['handlers'] }
}

/**
 * The gRPC server of a process: the bound services and grpc.health.v1.
 *
 * - A handler that throws a ServiceFault answers that; anything else is INTERNAL, logged with its cause.
 * - Health is SERVING while `ready` says so, asked every second, and NOT_SERVING from the moment of `stop`.
 * - With `tls` it takes calls from the listed callers alone, by certificate; health too, so who has none asks elsewhere.
 * - Connections are closed in turn after about 30 s, so that callers find new replicas.
 */
export function createGrpcServer(options: GrpcServerOptions): GrpcServer {
  const { tls } = options
  const server = new grpc.Server({
    ...serverOptions,
    'grpc.max_connection_age_ms': options.connectionAgeMs ?? 30_000,
    ...(tls && { interceptors: [createCallerCheck(tls.callers, options.log)] }),
  })
  const health = new HealthImplementation({ '': 'NOT_SERVING' })
  health.addToServer(server)
  const run = createCallRunner(options)
  const methods = new Map<string, ExchangedMethod>()
  for (const { service, handlers } of options.services) {
    const definition: Record<string, grpc.MethodDefinition<unknown, unknown>> = {}
    const implementation: grpc.UntypedServiceImplementation = {}
    for (const [name, method] of Object.entries(service.method)) {
      const handler = handlers[name]
      if (!handler) throw new Error(`${service.typeName}: no handler for ${method.name}`)
      const bound = { run: run(method, handler), definition: methodDefinition(method) }
      definition[name] = bound.definition as unknown as grpc.MethodDefinition<unknown, unknown>
      implementation[name] = answerUnary(bound.run)
      methods.set(bound.definition.path, bound)
    }
    server.addService(definition, implementation)
  }
  const exchange = createExchangeServer(methods, options.streamAgeMs)
  server.addService(exchange.definition, exchange.implementation)

  let stopping = false
  async function updateHealth(): Promise<void> {
    const ready = !stopping && (await options.ready().catch(() => false))
    health.setStatus('', ready && !stopping ? 'SERVING' : 'NOT_SERVING')
  }
  const healthTimer = setInterval(() => void updateHealth(), 1000).unref()

  return {
    async listen(host, port) {
      const bound = await new Promise<number>((resolve, reject) => {
        const credentials = tls ? serverCredentials(tls.identity) : grpc.ServerCredentials.createInsecure()
        server.bindAsync(`${host}:${port}`, credentials, (error, actual) => (error ? reject(error) : resolve(actual)))
      })
      await updateHealth()
      return bound
    },
    async stop(graceMs) {
      stopping = true
      clearInterval(healthTimer)
      health.setStatus('', 'NOT_SERVING')
      exchange.goAway()
      await shutDown(server, graceMs)
    },
  }
}

export interface GrpcServerOptions {
  services: BoundService[]
  log: Logger
  metrics: Metrics
  /** Whether the process can answer: as a rule, whether its own database does. */
  ready: () => Promise<boolean>
  /** Who the process is, and the DNS names of those that may call it; plain calls from anybody without. */
  tls?: { identity: TlsIdentity; callers: readonly string[] }
  /** See `createExchangeServer`; for tests. */
  streamAgeMs?: number
  /** About how long a connection takes new calls; for tests. */
  connectionAgeMs?: number
}

export interface GrpcServer {
  /** Listens and answers the port; port 0 takes a free one. */
  listen(host: string, port: number): Promise<number>
  /** Refuses new calls, lets those in flight finish for at most `graceMs`, then cuts them. */
  stop(graceMs: number): Promise<void>
}

export interface BoundService {
  service: UnaryService
  handlers: Record<string, Handler>
}

// The library's own lines on stderr repeat errors that we are given anyway (a taken port, say).
grpc.setLogVerbosity(grpc.logVerbosity.NONE)

const serverOptions: grpc.ServerOptions = {
  'grpc.max_receive_message_length': maxMessageBytes,
  'grpc.max_send_message_length': maxMessageBytes,
  // Longer than a stream of ExchangeService lives, since one may begin just before its connection gets too old.
  'grpc.max_connection_age_grace_ms': 20_000,
  // A ping that falls due while a connection is being closed would cut it, with the calls on it. Closing begins after 27 s
  // at the earliest, once the first ping is sent, and is done after 53 s at the latest, before the second.
  'grpc.keepalive_time_ms': 26_700,
  'grpc.keepalive_timeout_ms': 10_000,
}

function answerUnary(run: RunCall): grpc.handleUnaryCall<unknown, unknown> {
  return async (grpcCall, answer) => {
    const outcome = await run(grpcCall.request, callFromMetadata(grpcCall))
    if ('failed' in outcome) answer(statusToTrailer(outcome.failed))
    else answer(null, outcome.response)
  }
}

function shutDown(server: grpc.Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const force = setTimeout(() => {
      server.forceShutdown()
      resolve()
    }, graceMs)
    server.tryShutdown(() => {
      clearTimeout(force)
      resolve()
    })
  })
}
