import type { Running } from '@storekeep/common/lifecycle'
import { requireSchemaVersion, runMigrations } from '@storekeep/common/postgres'
import { startObserveServer } from '@storekeep/common/telemetry'
import type { CustomersConfig } from './config.ts'
import { type AppContext, type ContextOverrides, createContext, migrations, nodeNumber, service } from './context.ts'
import { createConsumers } from './events/consumers.ts'
import { createServer } from './server.ts'

/** Starts the service; `overrides` are for tests. What it opened is closed again when the start fails. */
export async function start(config: CustomersConfig, overrides: ContextOverrides = {}): Promise<RunningCustomers> {
  const ctx = createContext(config, overrides)
  try {
    if (config.database.migrate) await migrate(config, ctx)
    return await serve(config, ctx)
  } catch (error) {
    await close(ctx)
    throw error
  }
}

export interface RunningCustomers extends Running {
  /** Of gRPC. */
  port: number
  metricsPort: number
}

async function migrate(config: CustomersConfig, { log }: AppContext): Promise<void> {
  await runMigrations({ url: config.database.url, schema: service, directory: migrations, nodeNumber, log })
}

async function serve(config: CustomersConfig, ctx: AppContext): Promise<RunningCustomers> {
  const { grpc, metrics, shutdown } = config
  let stopping = false
  const isReady = readiness(ctx)
  const ready = async () => !stopping && (await isReady())
  const observe = await startObserveServer({ host: grpc.host, port: metrics.port, metrics: ctx.metrics, ready })
  const server = createServer(ctx, ready)
  const port = await server.listen(grpc.host, grpc.port).catch(async (error: unknown) => {
    await observe.close()
    throw error
  })
  const consumers = createConsumers(ctx, config)
  ctx.relay.start()
  for (const consumer of consumers) consumer.start()
  return {
    log: ctx.log,
    address: `${grpc.host}:${port}`,
    graceMs: shutdown.graceMs,
    port,
    metricsPort: observe.port,
    async stop() {
      stopping = true
      await server.stop(shutdown.graceMs)
      await Promise.all(consumers.map((consumer) => consumer.stop()))
      await observe.close()
      await close(ctx)
    },
  }
}

/** Ready while the own database answers, once its schema is as new as this build. Redis and NATS may be away. */
function readiness({ database }: AppContext): () => Promise<boolean> {
  let schemaChecked = false
  return async () => {
    if (!schemaChecked) await requireSchemaVersion(database, migrations)
    else await database.ping()
    schemaChecked = true
    return true
  }
}

async function close(ctx: AppContext): Promise<void> {
  await ctx.relay.stop()
  await ctx.nats.close()
  await ctx.redis.close()
  ctx.closeClients()
  await ctx.database.close()
}
