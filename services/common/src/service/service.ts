import type { ServerName } from '@storekeep/proto/conventions/call-rights'
import type { ServiceConfig } from '../config/index.ts'
import { ServiceFault } from '../errors/index.ts'
import { type Consumer, type ConsumerParts, createConsumer } from '../events/index.ts'
import { bindExports, type Exported } from '../exports/index.ts'
import { type BoundService, createGrpcServer } from '../grpc/index.ts'
import type { PeriodicTask, Running } from '../lifecycle/index.ts'
import type { MigratingService } from '../migrate/index.ts'
import {
  limitTransactions,
  type Queryable,
  requireCell,
  requireSchemaVersion,
  runMigrations,
  WrongCellError,
} from '../postgres/index.ts'
import { startObserveServer, startTracing, type Tracing } from '../telemetry/index.ts'
import { bindOperations } from './operations.ts'
import { createReadiness } from './readiness.ts'
import { createRuntime, type Runtime, type RuntimeOverrides } from './runtime.ts'

/** The parts that define a service. */
export interface ServiceParts<Config extends ServiceConfig, Context extends Runtime> {
  /** Name of the service, its schema, and its part of event subjects. */
  name: ServerName
  /** Number of the service in the node number of its flake ids, 0 to 15. Unique per service; never change it. */
  nodeNumber: number
  /** Absolute path of the folder with the `NNNN-name.sql` migrations. */
  migrations: string
  /** Extends the runtime with the dependencies of this service. Everything it opens must be closed by `close`. */
  createContext(runtime: Runtime, config: Config): Context
  /** Makes ready what calls need from `createContext`. The start fails if this rejects. Default: nothing. */
  prepare?(ctx: Context): Promise<void>
  /** The gRPC services. */
  bind(ctx: Context): BoundService[]
  /** The event consumers. Default: none. */
  consumers?(ctx: Context): ConsumerParts[]
  /** The periodic tasks. Default: none. */
  tasks?(ctx: Context): PeriodicTask[]
  /** The records exported for copies such as the search index. Default: none. */
  exports?(ctx: Context): Exported[]
  /** Closes what `createContext` opened. Called before the connections of the runtime are closed. */
  close?(ctx: Context): Promise<void> | void
}

export interface Service<Config extends ServiceConfig> extends MigratingService {
  /** Starts the service. If that fails, everything opened so far is closed. */
  start(config: Config, overrides?: RuntimeOverrides): Promise<RunningService>
}

export interface RunningService extends Running {
  name: ServerName
  /** The gRPC port. */
  port: number
  metricsPort: number
}

/**
 * Defines a service. When started, it migrates its schema (unless `MIGRATE=false`), serves gRPC (its own services,
 * OperationsService and ExportService) and HTTP (metrics and readiness), publishes its events, and runs its consumers and
 * tasks. When stopped, it fails readiness, finishes calls and events in flight, and then closes its connections.
 *
 * It may start before its database, or before the migrations: then it is not ready, and uses nothing of the database until the
 * schema is known to be of its cell and up to date for this build. Redis and NATS are not required.
 */
export function defineService<Config extends ServiceConfig, Context extends Runtime>(
  parts: ServiceParts<Config, Context>,
): Service<Config> {
  const { name, migrations: directory, nodeNumber } = parts
  const migrate: MigratingService['migrate'] = (target, log) =>
    runMigrations({ ...target, schema: name, directory, nodeNumber, log })
  return {
    name,
    migrate,
    async start(config, overrides = {}) {
      const checkDatabase = async (database: Queryable) => {
        await requireCell(database, config.cell)
        await requireSchemaVersion(database, directory)
      }
      const ctx = parts.createContext(createRuntime(name, config, { ...overrides, checkDatabase }), config)
      let tracing: Tracing | undefined
      try {
        tracing = await startTracing({ service: name, config: config.tracing, log: ctx.log, metrics: ctx.metrics })
        const { cell, database } = config
        if (database.migrate) await migrate({ url: database.url, cell }, ctx.log)
        await ctx.database.ping().catch(throwIfFinal)
        await parts.prepare?.(ctx)
        return await serve(parts, config, ctx, tracing)
      } catch (error) {
        await close(parts, ctx, tracing)
        throw error
      }
    },
  }
}

async function serve<Context extends Runtime>(
  parts: ServiceParts<never, Context>,
  config: ServiceConfig,
  ctx: Context,
  tracing: Tracing,
): Promise<RunningService> {
  const { grpc, metrics, shutdown } = config
  // With TLS, Kubernetes probes /readyz, which is served before gRPC is.
  let listening = false
  let stopping = false
  const canServe = createReadiness(() => ctx.database.ping(), ctx.log)
  const ready = async () => !stopping && (await canServe()) && !stopping
  const observe = await startObserveServer({
    host: grpc.host,
    port: metrics.port,
    metrics: ctx.metrics,
    ready: async () => listening && (await ready()),
  })
  const consumers = createConsumers(parts.consumers?.(ctx) ?? [], config, ctx)
  const server = createGrpcServer({
    services: [
      ...parts.bind(ctx),
      bindOperations(ctx.database, consumers),
      bindExports(ctx.database, parts.exports?.(ctx) ?? []),
    ],
    log: ctx.log,
    metrics: ctx.metrics,
    ready,
    cell: config.cell,
    identity: { ...ctx.identity, callers: config.identity.tls?.callers },
  })
  const port = await server.listen(grpc.host, grpc.port).catch(async (error: unknown) => {
    await observe.close()
    throw error
  })
  listening = true
  ctx.relay.start()
  const tasks = parts.tasks?.(ctx) ?? []
  for (const one of [...consumers, ...tasks]) one.start()
  return {
    name: parts.name,
    log: ctx.log,
    address: `${grpc.host}:${port}`,
    graceMs: shutdown.graceMs,
    port,
    metricsPort: observe.port,
    async stop() {
      stopping = true
      await Promise.all([server.stop(shutdown.graceMs), ...[...consumers, ...tasks].map((one) => one.stop())])
      await observe.close()
      await close(parts, ctx, tracing)
    },
  }
}

/** Caps consumers at a third of the pool so that event load cannot starve requests. */
function createConsumers(
  all: readonly ConsumerParts[],
  { cell, events, database: { connections } }: ServiceConfig,
  ctx: Runtime,
): Consumer[] {
  const { nats, log, metrics } = ctx
  const database = limitTransactions(ctx.database, Math.max(1, Math.floor(connections.transactions / 3)))
  return all.map((parts) => createConsumer({ ...parts, database, nats, stream: events.stream, cell, log, metrics }))
}

/** Outages and pending migrations are not fatal: the service starts unready. */
function throwIfFinal(error: unknown): void {
  const cause = error instanceof ServiceFault ? error.cause : error
  if (cause instanceof WrongCellError || !(error instanceof ServiceFault)) throw cause
}

async function close<Context extends Runtime>(
  parts: ServiceParts<never, Context>,
  ctx: Context,
  tracing: Tracing | undefined,
): Promise<void> {
  await parts.close?.(ctx)
  await ctx.relay.stop()
  await ctx.nats.close()
  await ctx.database.close()
  ctx.identity.close()
  await tracing?.stop()
}
