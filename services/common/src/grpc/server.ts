import type { DescMethodUnary } from '@bufbuild/protobuf'
import * as grpc from '@grpc/grpc-js'
import { HealthImplementation } from 'grpc-health-check'
import { errors, ServiceFault } from '../errors/index.ts'
import type { Logger } from '../log/index.ts'
import type { Metrics } from '../telemetry/index.ts'
import { type Input, methodDefinition, type OutputInit, type UnaryService } from './adapter.ts'
import { type Call, callFromMetadata, methodName } from './call.ts'
import { faultToStatus } from './fault-status.ts'

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
 * - Connections are closed in turn after about 30 s, so that callers find new replicas.
 */
export function createGrpcServer(options: GrpcServerOptions): GrpcServer {
  const server = new grpc.Server(serverOptions)
  const health = new HealthImplementation({ '': 'NOT_SERVING' })
  health.addToServer(server)
  const duration = options.metrics.histogram(
    'rpc_server_call_duration_seconds',
    'How long calls took on the server, by method and status.',
    ['rpc_method', 'rpc_status_code'],
  )
  for (const bound of options.services) {
    const [definition, implementation] = implement(bound, options.log, (method, code, seconds) =>
      duration.observe({ rpc_method: method, rpc_status_code: code }, seconds),
    )
    server.addService(definition, implementation)
  }

  let stopping = false
  async function updateHealth(): Promise<void> {
    const ready = !stopping && (await options.ready().catch(() => false))
    health.setStatus('', ready && !stopping ? 'SERVING' : 'NOT_SERVING')
  }
  const healthTimer = setInterval(() => void updateHealth(), 1000).unref()

  return {
    async listen(host, port) {
      const bound = await new Promise<number>((resolve, reject) => {
        server.bindAsync(`${host}:${port}`, grpc.ServerCredentials.createInsecure(), (error, actual) =>
          error ? reject(error) : resolve(actual),
        )
      })
      await updateHealth()
      return bound
    },
    async stop(graceMs) {
      stopping = true
      clearInterval(healthTimer)
      health.setStatus('', 'NOT_SERVING')
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
}

export interface GrpcServer {
  /** Listens and answers the port; port 0 takes a free one. */
  listen(host: string, port: number): Promise<number>
  /** Refuses new calls, lets those in flight finish for at most `graceMs`, then cuts them. */
  stop(graceMs: number): Promise<void>
}

export interface BoundService {
  service: UnaryService
  handlers: Record<string, (request: never, call: never) => Promise<unknown>>
}

// The library's own lines on stderr repeat errors that we are given anyway (a taken port, say).
grpc.setLogVerbosity(grpc.logVerbosity.NONE)

const messageBytes = 8 * 1024 * 1024
const serverOptions: grpc.ServerOptions = {
  'grpc.max_receive_message_length': messageBytes,
  'grpc.max_send_message_length': messageBytes,
  'grpc.max_connection_age_ms': 30_000,
  'grpc.max_connection_age_grace_ms': 10_000,
  'grpc.keepalive_time_ms': 20_000,
  'grpc.keepalive_timeout_ms': 5_000,
}

type Observe = (method: string, code: string, seconds: number) => void

function implement(
  { service, handlers }: BoundService,
  log: Logger,
  observe: Observe,
): [grpc.ServiceDefinition, grpc.UntypedServiceImplementation] {
  const definition: Record<string, grpc.MethodDefinition<unknown, unknown>> = {}
  const implementation: grpc.UntypedServiceImplementation = {}
  for (const [name, method] of Object.entries(service.method)) {
    const handler = handlers[name]
    if (!handler) throw new Error(`${service.typeName}: no handler for ${method.name}`)
    definition[name] = methodDefinition(method) as unknown as grpc.MethodDefinition<unknown, unknown>
    implementation[name] = unaryHandler(method, handler, log, observe)
  }
  return [definition, implementation]
}

function unaryHandler(
  method: DescMethodUnary,
  handler: BoundService['handlers'][string],
  log: Logger,
  observe: Observe,
): grpc.handleUnaryCall<unknown, unknown> {
  const name = methodName(method)
  return async (grpcCall, answer) => {
    const started = performance.now()
    const call = callFromMetadata(method, grpcCall, log)
    try {
      // Whoever waited for this has given up while it was queued.
      if (grpcCall.cancelled || call.remainingMs() === 0) throw errors.unavailable(new Error('the deadline has passed'))
      const response = await handler(grpcCall.request as never, call as never)
      observe(name, 'OK', (performance.now() - started) / 1000)
      answer(null, response)
    } catch (error) {
      const status = faultToStatus(error)
      logFault(call, error)
      observe(name, grpc.status[status.code] ?? 'UNKNOWN', (performance.now() - started) / 1000)
      answer(status)
    }
  }
}

/** Faults of ours are logged with their cause; a caller's mistake is its own to read, not an event of ours. */
function logFault(call: Call, error: unknown): void {
  if (!(error instanceof ServiceFault) || error.code === 'internal-error') {
    call.log.error({ err: error }, 'call failed by a mistake of ours')
  } else if (error.code === 'service-unavailable') {
    call.log.warn({ err: error }, 'call failed because a part is unavailable')
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
