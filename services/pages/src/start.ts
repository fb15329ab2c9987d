import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { guardConnections } from '@storekeep/common/http'
import type { Running } from '@storekeep/common/lifecycle'
import { startObserveServer, startTracing, type Tracing } from '@storekeep/common/telemetry'
import type { PagesConfig } from './config.ts'
import { type ContextOverrides, createContext, type PagesContext } from './context.ts'
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
    const server = createHttpServer(ctx)
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
        await stop(server, ctx)
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

/** The HTTP server, with timeouts and limits against slow and hostile clients as in the gateway. */
function createHttpServer(ctx: PagesContext): Server {
  const server = createServer({
    headersTimeout: ctx.config.connections.headersTimeoutMs,
    requestTimeout: 15_000,
    connectionsCheckingInterval: 1_000,
    keepAliveTimeout: 65_000,
    maxHeaderSize: 16 * 1024,
  })
  server.maxRequestsPerSocket = 10_000
  server.on('request', guardConnections(server, createListener(ctx, routes), ctx))
  return server
}

function listen(server: Server, { host, port }: PagesConfig['http']): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve((server.address() as AddressInfo).port)
    })
  })
}

/** Fails readiness and closes connections after their response; then refuses new ones; then waits for requests in flight. */
async function stop(server: Server, { config, lifecycle }: PagesContext): Promise<void> {
  const { delayMs, graceMs } = config.shutdown
  lifecycle.draining = true
  if (delayMs > 0) await sleep(delayMs)
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  const forceClose = setTimeout(() => server.closeAllConnections(), graceMs)
  await closed
  clearTimeout(forceClose)
}
