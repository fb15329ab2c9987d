import * as grpc from '@grpc/grpc-js'
import { rpcsOf } from '@storekeep/proto/conventions/call-rights'
import type { ServerIdentity } from '../identity/index.ts'
import type { Logger } from '../log/index.ts'
import type { Metrics } from '../telemetry/index.ts'
import { serverCredentials } from '../unsupported/tls-credentials.ts'
import { type Input, methodDefinition, type OutputInit, type UnaryService } from './adapter.ts'
import type { Call } from './call.ts'
import { type CallGuard, createCallGuard } from './call-guard.ts'
import { callFromMetadata } from './call-metadata.ts'
import { type CallerRecognition, createCallerRecognition } from './caller-recognition.ts'
import { statusToTrailer } from './fault-status.ts'
import { createHealth } from './health.ts'
import { maxMessageBytes } from './multiplexer/multiplex-definition.ts'
import { createMultiplexServer, type MultiplexedMethod } from './multiplexer/multiplex-server.ts'
import { createCallRunner, type Handler, type RunCall } from './run-call.ts'

/** One handler per RPC of the service; a missing one is a compile error. */
export type Handlers<S extends UnaryService> = {
  [K in keyof S['method']]: (
    request: Input<S['method'][K]>,
    call: Call<S['method'][K]>,
  ) => Promise<OutputInit<S['method'][K]>>
}

/** Pairs a generated service with its handlers, for `createGrpcServer`. */
export function bind<S extends UnaryService>(service: S, handlers: Handlers<S>): BoundService {
  return { service, handlers: handlers as BoundService['handlers'] }
}

/**
 * Creates the gRPC server of a process: the bound services, MultiplexService and grpc.health.v1.
 *
 * - A ServiceFault thrown by a handler is sent to the caller; any other error becomes INTERNAL and is logged with its
 *   cause.
 * - Health is SERVING while `ready` resolves to true, checked every second, and NOT_SERVING once `stop` is called.
 * - A call is handled only if its caller may make it (`callRights`), and its store is of this cell. Health checks are open to
 *   all, but with TLS a probe without a certificate cannot connect and uses `/readyz`.
 * - Connections are closed gracefully after about 30 s, so that callers find new replicas.
 */
export function createGrpcServer(options: GrpcServerOptions): GrpcServer {
  const { identity } = options
  const { tls } = identity
  const server = new grpc.Server({
    ...serverOptions,
    'grpc.max_connection_age_ms': options.connectionAgeMs ?? 30_000,
  })
  const health = createHealth()
  server.addService(health.definition, health.implementation)
  const run = createCallRunner(options)
  const callers = createCallerRecognition(identity)
  const guard = createCallGuard(options)
  const known = new Set(rpcsOf(identity.name).map(({ path }) => path))
  const methods = new Map<string, MultiplexedMethod>()
  for (const { service, handlers } of options.services) {
    const definition: Record<string, grpc.MethodDefinition<unknown, unknown>> = {}
    const implementation: grpc.UntypedServiceImplementation = {}
    for (const [name, method] of Object.entries(service.method)) {
      const handler = handlers[name]
      if (!handler) throw new Error(`${service.typeName}: no handler for ${method.name}`)
      const bound = { run: run(method, handler), definition: methodDefinition(method) }
      const { path } = bound.definition
      if (!known.has(path)) throw new Error(`${path} is missing in proto/conventions/call-rights.ts`)
      definition[name] = bound.definition as unknown as grpc.MethodDefinition<unknown, unknown>
      implementation[name] = handleUnary(path, bound.run, { callers, guard })
      methods.set(path, bound)
    }
    server.addService(definition, implementation)
  }
  const multiplexer = createMultiplexServer({ methods, callers, guard, streamAgeMs: options.streamAgeMs })
  server.addService(multiplexer.definition, multiplexer.implementation)

  let stopping = false
  async function updateHealth(): Promise<void> {
    const ready = !stopping && (await options.ready().catch(() => false))
    health.setServing(ready && !stopping)
  }
  const healthTimer = setInterval(() => void updateHealth(), 1000).unref()

  return {
    async listen(host, port) {
      const bound = await new Promise<number>((resolve, reject) => {
        const credentials = tls ? serverCredentials(tls) : grpc.ServerCredentials.createInsecure()
        server.bindAsync(`${host}:${port}`, credentials, (error, actual) => (error ? reject(error) : resolve(actual)))
      })
      await updateHealth()
      return bound
    },
    async stop(graceMs) {
      stopping = true
      clearInterval(healthTimer)
      health.setServing(false)
      multiplexer.goAway()
      await shutDown(server, graceMs)
    },
  }
}

export interface GrpcServerOptions {
  services: BoundService[]
  log: Logger
  metrics: Metrics
  /** Whether the process can serve calls; usually whether its database responds. */
  ready: () => Promise<boolean>
  /** The process, and how it recognizes its callers. */
  identity: ServerIdentity
  /** The cell whose stores it serves (decision 0039). Undefined: all cells; for tests. */
  cell?: number
  /** Whether every process may make every call; for tests. */
  admitsAll?: boolean
  /** See `createMultiplexServer`; for tests. */
  streamAgeMs?: number
  /** Approximate age at which a connection is closed gracefully; for tests. */
  connectionAgeMs?: number
}

interface GrpcServer {
  /** Starts listening and returns the port; port 0 picks a free one. */
  listen(host: string, port: number): Promise<number>
  /** Rejects new calls, waits up to `graceMs` for calls in flight, then cuts them. */
  stop(graceMs: number): Promise<void>
}

export interface BoundService {
  service: UnaryService
  handlers: Record<string, Handler>
}

// grpc-js would log errors to stderr that it also throws, such as a port in use.
grpc.setLogVerbosity(grpc.logVerbosity.NONE)

const serverOptions: grpc.ServerOptions = {
  'grpc.max_receive_message_length': maxMessageBytes,
  'grpc.max_send_message_length': maxMessageBytes,
  // Longer than a multiplexed stream lives: one may open just before its connection reaches its maximum age.
  'grpc.max_connection_age_grace_ms': 20_000,
  // A ping that falls due during a graceful close would cut the connection with its calls. The close starts after 27 s at
  // the earliest, after the first ping, and is finished after 53 s at the latest, before the second.
  'grpc.keepalive_time_ms': 26_700,
  'grpc.keepalive_timeout_ms': 10_000,
}

function handleUnary(
  path: string,
  run: RunCall,
  { callers, guard }: { callers: CallerRecognition; guard: CallGuard },
): grpc.handleUnaryCall<unknown, unknown> {
  return async (grpcCall, respond) => {
    const incoming = callFromMetadata(grpcCall)
    const rejection = guard.check(callers.ofPlainCall(grpcCall), path, incoming)
    if (rejection) return respond(statusToTrailer(rejection))
    const outcome = await run(grpcCall.request, incoming)
    if ('failure' in outcome) respond(statusToTrailer(outcome.failure))
    else respond(null, outcome.response)
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
