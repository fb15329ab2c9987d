import type { Express, RequestHandler } from 'express'
import type { GatewayContext } from '../context.ts'
import { exchangeOf } from '../http/exchange.ts'
import { sendJson } from '../http/send-json.ts'
import { methodNotAllowed } from '../middleware/not-found.ts'

/** What the platform around us asks. None of it is part of the public interface. */
export function serveOperations(app: Express, ctx: GatewayContext): void {
  serve(app, '/healthz', (_req, res) => sendJson(res, 200, { status: 'ok' }))

  // Ready means: started, and not leaving. Neither Redis nor a service counts: every gateway would leave the balancer
  // at once, and callers would get its bare error in place of our 503 or of the answers that still can be given.
  serve(app, '/readyz', (_req, res) => {
    const { draining } = ctx.lifecycle
    sendJson(res, draining ? 503 : 200, { status: draining ? 'draining' : 'ready' })
  })

  if (ctx.config.metrics.port !== undefined) return
  serve(app, '/metrics', async (_req, res) => {
    const { registry } = ctx.metrics.metrics
    const text = await registry.metrics()
    res.setHeader('content-type', registry.contentType)
    res.end(text)
  })
}

/** A page beside the interface, with GET only. */
export function serve(app: Express, path: string, page: RequestHandler): void {
  const named: RequestHandler = (_req, res, next) => {
    exchangeOf(res).route = path
    next()
  }
  app
    .route(path)
    .get(named, page)
    .all(methodNotAllowed(['GET', 'HEAD'], path))
}
