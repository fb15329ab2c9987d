import type { Express } from 'express'
import type { GatewayContext } from '../context.ts'
import { sendJson } from '../http/send-json.ts'
import { servePage } from './serve-page.ts'

/** Health checks and metrics for the platform. Not part of the public interface. */
export function serveProbes(app: Express, ctx: GatewayContext): void {
  servePage(app, '/healthz', (_req, res) => sendJson(res, 200, { status: 'ok' }))

  // Ready means started and not draining. Redis and the services do not count, not even all of them: an outage would take
  // every replica out of the load balancer at once, and callers would get its bare error instead of our 503. The body lists the
  // cells for people only: an unreachable cell affects none but its own stores.
  servePage(app, '/readyz', (_req, res) => {
    const { draining } = ctx.lifecycle
    const cells = Object.fromEntries(ctx.cellStates())
    sendJson(res, draining ? 503 : 200, { status: draining ? 'draining' : 'ready', cells })
  })

  if (ctx.config.metrics.port !== undefined) return
  servePage(app, '/metrics', async (_req, res) => {
    const { registry } = ctx.metrics.metrics
    const text = await registry.metrics()
    res.setHeader('content-type', registry.contentType)
    res.end(text)
  })
}
