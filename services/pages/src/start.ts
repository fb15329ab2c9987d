import { createHttpServer, drain, guardConnections, listen } from '@storekeep/common/http'
import type { Running } from '@storekeep/common/lifecycle'
import { startObserveServer, startTracing, type Tracing } from '@storekeep/common/telemetry'
import type { PagesConfig } from './config.ts'
import { type ContextOverrides, createContext } from './context.ts'
import { createListener } from './http/listener.ts'
import { routes } from './routes.ts'

/** Starts the pages; `overrides` are for tests. If the start fails, everything opened so far is closed. */
export async function start(config: PagesConfig, overrides: ContextOverrides = {}): Promise<RunningPages> {
  const ctx = createContext(config, overrides)
  const { log, metrics, lifecycle } = ctx
  let tracing: Tracing | undefined
  let observe: Awaited<ReturnType<typeof startObserveServer>> | undefined
  const close = async () => {
    await observe?.close()
    ctx.close()
    await tracing?.stop()
  }
  try {
    tracing = await startTracing({ service: 'pages', config: config.tracing, log, metrics: metrics.metrics })
    let listening = false
    const ready = async () => listening && !lifecycle.draining
    const { host } = config.http
    observe = await startObserveServer({ host, port: config.metrics.port, metrics: metrics.metrics, ready })
    const server = createHttpServer(config.connections)
    server.on('request', guardConnections(server, createListener(ctx, routes), ctx))
    const port = await listen(server, config.http)
    listening = true
    const { delayMs, graceMs } = config.shutdown
    return {
      log,
      address: `http://${host}:${port}`,
      graceMs: delayMs + graceMs,
      port,
      metricsPort: observe.port,
      stop: async () => {
        await drain(server, ctx)
        await close()
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

export interface RunningPages extends Running {
  port: number
  /** Port of /metrics and /readyz. */
  metricsPort: number
}
