import type { Server } from 'node:http'
import type { Running } from '../lifecycle/index.ts'
import { listen } from '../net/index.ts'
import { startObserveServer, startTracing, type Tracing } from '../telemetry/index.ts'
import { createHttpServer, type HttpApp, type HttpServerContext } from './create-server.ts'
import type { HttpConfig } from './http-config.ts'
import type { Lifecycle, RequestContext } from './request-context.ts'

/**
 * Starts a process that serves HTTP, and owns its context from then on: `stop` closes it, and so does a failed start. Stopping first
 * fails readiness and closes connections after their response, then rejects new connections, then waits for requests in flight.
 *
 * @param service the name of the process
 */
export async function startHttpServer<Request extends RequestContext, Context extends ProcessContext>(
  service: string,
  createApp: (ctx: Context) => HttpApp<Request>,
  ctx: Context,
): Promise<RunningHttpServer> {
  const { config, log, lifecycle } = ctx
  const { metrics } = ctx.metrics
  const { host } = config.http
  let tracing: Tracing | undefined
  let observe: Awaited<ReturnType<typeof startObserveServer>> | undefined
  const close = async () => {
    await observe?.close()
    await ctx.close()
    await tracing?.stop()
  }
  try {
    tracing = await startTracing({ service, config: config.tracing, log, metrics })
    let listening = false
    if (config.metrics.port !== undefined) {
      const ready = async () => listening && !lifecycle.draining
      observe = await startObserveServer({ host, port: config.metrics.port, metrics, ready })
    }
    const server = createHttpServer(createApp(ctx), ctx)
    const port = await listen(server, config.http)
    listening = true
    const { delayMs, graceMs } = config.shutdown
    return {
      log,
      address: `http://${host}:${port}`,
      graceMs: delayMs + graceMs,
      port,
      metricsPort: observe?.port ?? port,
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

export interface RunningHttpServer extends Running {
  port: number
  /** Port of /metrics. */
  metricsPort: number
}

export interface ProcessContext extends HttpServerContext {
  config: HttpConfig & {
    metrics: {
      /** Port of /metrics and the probes; undefined starts no separate server, 0 picks a free port. */
      port: number | undefined
    }
  }
  lifecycle: Lifecycle
  close(): Promise<void> | void
}

async function drain(server: Server, { config, lifecycle }: ProcessContext): Promise<void> {
  const { delayMs, graceMs } = config.shutdown
  lifecycle.draining = true
  lifecycle.onDraining?.()
  if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs))
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  const forceClose = setTimeout(() => server.closeAllConnections(), graceMs)
  await closed
  clearTimeout(forceClose)
}
