import { drain, listen } from '@storekeep/common/http'
import type { Running } from '@storekeep/common/lifecycle'
import { startObserveServer, startTracing, type Tracing } from '@storekeep/common/telemetry'
import { createApp } from './app.ts'
import type { GatewayConfig } from './config.ts'
import { type ContextOverrides, createContext, type GatewayContext } from './context.ts'
import { createServer } from './http/server.ts'

/** Starts the gateway; `overrides` are for tests. If the start fails, everything opened so far is closed. */
export async function start(config: GatewayConfig, overrides: ContextOverrides = {}): Promise<RunningGateway> {
  const ctx = createContext(config, overrides)
  const { log, metrics } = ctx
  let started: Tracing | undefined
  let observe: Observe | undefined
  try {
    const tracing = await startTracing({ service: 'gateway', config: config.tracing, log, metrics: metrics.metrics })
    started = tracing
    observe = await startObserve(ctx)
    const server = createServer(createApp(ctx), ctx)
    const port = await listen(server, config.http)
    const { delayMs, graceMs } = config.shutdown
    return {
      log,
      address: `http://${config.http.host}:${port}`,
      graceMs: delayMs + graceMs,
      port,
      metricsPort: observe?.port ?? port,
      stop: async () => {
        await drain(server, ctx)
        await observe?.close()
        await ctx.close()
        await tracing.stop()
      },
    }
  } catch (error) {
    await observe?.close()
    await ctx.close()
    await started?.stop()
    throw error
  }
}

export interface RunningGateway extends Running {
  port: number
  /** Port of /metrics. */
  metricsPort: number
}

type Observe = Awaited<ReturnType<typeof startObserveServer>>

/** Serves /metrics on a separate port, if one is configured. */
async function startObserve({ config, metrics, lifecycle }: GatewayContext): Promise<Observe | undefined> {
  const { port } = config.metrics
  if (port === undefined) return undefined
  const ready = async () => !lifecycle.draining
  return await startObserveServer({ host: config.http.host, port, metrics: metrics.metrics, ready })
}
