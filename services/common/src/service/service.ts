import type { ServiceConfig } from '../config/index.ts'
import { type Consumer, type ConsumerOptions, createConsumer } from '../events/index.ts'
import { bindExports, type Exported } from '../exports/index.ts'
import { type BoundService, createGrpcServer } from '../grpc/index.ts'
import type { Running } from '../lifecycle/index.ts'
import type { Logger } from '../log/index.ts'
import { limitTransactions, requireSchemaVersion, runMigrations } from '../postgres/index.ts'
import { startObserveServer, startTracing, type Tracing } from '../telemetry/index.ts'
import { bindOperations } from './operations.ts'
import type { PeriodicTask } from './periodic-task.ts'
import { createRuntime, type Runtime, type RuntimeOverrides } from './runtime.ts'

/** What makes one service different from another. */
export interface ServiceParts<Config extends ServiceConfig, Context extends Runtime> {
  /** Of the service, of its schema and of its place in the subjects of events. */
  name: string
  /** The service's part of every flake id, 0 to 1023. Never changed, never shared. */
  nodeNumber: number
  /** Absolute path of the folder with its `NNNN-name.sql`. */
  migrations: string
  /** Builds what only this service has, and adds it to the runtime. Opens nothing that `close` does not close. */
  createContext(runtime: Runtime, config: Config): Context
  /** What it answers over gRPC. */
  bind(ctx: Context): BoundService[]
  /** What it listens to; nothing unless given. */
  consumers?(ctx: Context): ConsumerParts[]
  /** What it does from time to time by itself; nothing unless given. */
  tasks?(ctx: Context): PeriodicTask[]
  /** The records of its own that copies are made of; nothing unless given. */
  exports?(ctx: Context): Exported[]
  /** Ends what `createContext` opened, before the connections of the runtime are closed. */
  close?(ctx: Context): Promise<void> | void
}

/** A consumer as its service describes it; the rest is the same for all. */
export type ConsumerParts = Pick<ConsumerOptions, 'name' | 'filterSubject' | 'handlers' | 'deliver'>

export interface Service<Config extends ServiceConfig> extends MigratingService {
  /** What it opened is closed again when the start fails. */
  start(config: Config, overrides?: RuntimeOverrides): Promise<RunningService>
}

/** What the migrations need to know of a service. */
export interface MigratingService {
  name: string
  /** Brings the service's schema up to date, without starting it; `url` is of its own role. */
  migrate(url: string, log: Logger): Promise<void>
}

export interface RunningService extends Running {
  /** Of gRPC. */
  port: number
  metricsPort: number
}

/**
 * A service that can be started: migrates (unless told not to), answers gRPC (its own, OperationsService and
 * ExportService), says how it is over HTTP, sends its events and takes those of others. It ends in the same order everywhere: readiness goes red, calls and events under
 * way are finished side by side, then the connections are closed.
 */
export function defineService<Config extends ServiceConfig, Context extends Runtime>(
  parts: ServiceParts<Config, Context>,
): Service<Config> {
  const { name, migrations: directory, nodeNumber } = parts
  const migrate = (url: string, log: Logger) => runMigrations({ url, schema: name, directory, nodeNumber, log })
  return {
    name,
    migrate,
    async start(config, overrides = {}) {
      const ctx = parts.createContext(createRuntime(parts.name, config, overrides), config)
      let tracing: Tracing | undefined
      try {
        tracing = await startTracing({ service: name, config: config.tracing, log: ctx.log, metrics: ctx.metrics })
        if (config.database.migrate) await migrate(config.database.url, ctx.log)
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
  // Over TLS the platform asks /readyz, which is there before gRPC is.
  let listening = false
  let stopping = false
  const isReady = readiness(parts, ctx)
  const ready = async () => !stopping && (await isReady())
  const observe = await startObserveServer({
    host: grpc.host,
    port: metrics.port,
    metrics: ctx.metrics,
    ready: async () => listening && (await ready()),
  })
  const server = createGrpcServer({
    services: [...parts.bind(ctx), bindOperations(ctx), bindExports(ctx.database, parts.exports?.(ctx) ?? [])],
    log: ctx.log,
    metrics: ctx.metrics,
    ready,
    ...(ctx.tls && config.tls && { tls: { identity: ctx.tls, callers: config.tls.callers } }),
  })
  const port = await server.listen(grpc.host, grpc.port).catch(async (error: unknown) => {
    await observe.close()
    throw error
  })
  listening = true
  const consumers = createConsumers(parts.consumers?.(ctx) ?? [], config, ctx)
  ctx.relay.start()
  const tasks = parts.tasks?.(ctx) ?? []
  for (const one of [...consumers, ...tasks]) one.start()
  return {
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

/** Together they take no more than a third of the pool, so that requests find a connection however much is heard. */
function createConsumers(
  all: readonly ConsumerParts[],
  { events, database: { poolSize } }: ServiceConfig,
  ctx: Runtime,
): Consumer[] {
  const { nats, relay, log, metrics } = ctx
  const database = limitTransactions(ctx.database, Math.max(1, Math.floor(poolSize / 3)))
  return all.map((parts) => createConsumer({ ...parts, database, nats, relay, stream: events.stream, log, metrics }))
}

/** Ready while the own database answers, once its schema is as new as this build. Redis and NATS may be away. */
function readiness({ migrations }: { migrations: string }, { database }: Runtime): () => Promise<boolean> {
  let schemaChecked = false
  return async () => {
    if (!schemaChecked) await requireSchemaVersion(database, migrations)
    else await database.ping()
    schemaChecked = true
    return true
  }
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
  ctx.tls?.close()
  await tracing?.stop()
}
