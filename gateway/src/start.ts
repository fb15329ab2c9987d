import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Running } from '@storekeep/common/lifecycle'
import { startTracing, type Tracing } from '@storekeep/common/telemetry'
import { createApp } from './app.ts'
import type { GatewayConfig } from './config.ts'
import { type ContextOverrides, createContext, type GatewayContext } from './context.ts'
import { createHttpServer } from './http/server.ts'

/** Starts the gateway; `overrides` are for tests. What it opened is closed again when the start fails. */
export async function start(config: GatewayConfig, overrides: ContextOverrides = {}): Promise<RunningGateway> {
  const ctx = createContext(config, overrides)
  const { log, metrics } = ctx
  let started: Tracing | undefined
  try {
    const tracing = await startTracing({ service: 'gateway', config: config.tracing, log, metrics: metrics.metrics })
    started = tracing
    const server = createHttpServer(createApp(ctx))
    const port = await listen(server, config.http)
    const { delayMs, graceMs } = config.shutdown
    return {
      log,
      address: `http://${config.http.host}:${port}`,
      graceMs: delayMs + graceMs,
      port,
      stop: () => stop(server, ctx, tracing),
    }
  } catch (error) {
    await ctx.close()
    await started?.stop()
    throw error
  }
}

export interface RunningGateway extends Running {
  port: number
}

function listen(server: Server, { host, port }: GatewayConfig['http']): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve((server.address() as AddressInfo).port)
    })
  })
}

/** Readiness red and every connection told to go; then no new ones; then what is in flight finishes, or is cut. */
async function stop(server: Server, ctx: GatewayContext, tracing: Tracing): Promise<void> {
  const { delayMs, graceMs } = ctx.config.shutdown
  ctx.lifecycle.draining = true
  if (delayMs > 0) await sleep(delayMs)
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  const cut = setTimeout(() => server.closeAllConnections(), graceMs)
  await closed
  clearTimeout(cut)
  await ctx.close()
  await tracing.stop()
}
