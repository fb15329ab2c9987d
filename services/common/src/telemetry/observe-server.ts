import type { ServerResponse } from 'node:http'
import { http, listen } from '../net/index.ts'
import type { Metrics } from './metrics.ts'

/**
 * Starts the HTTP server of a gRPC service: `/metrics` for Prometheus, `/healthz` (the event loop is running) and `/readyz`
 * (the service can serve calls and is not stopping).
 *
 * @param options.port 0 picks a free port
 */
export async function startObserveServer(options: {
  host: string
  port: number
  metrics: Metrics
  ready: () => Promise<boolean>
}): Promise<{ port: number; close(): Promise<void> }> {
  const server = http.createServer(async (request, response) => {
    if (request.url === '/healthz') return respond(response, 200, 'text/plain', 'ok\n')
    if (request.url === '/readyz') {
      const ready = await options.ready().catch(() => false)
      return respond(response, ready ? 200 : 503, 'text/plain', ready ? 'ready\n' : 'not ready\n')
    }
    if (request.url === '/metrics') {
      const { registry } = options.metrics
      const text = await registry.metrics().catch(() => undefined)
      if (text === undefined) return respond(response, 500, 'text/plain', 'metrics unavailable\n')
      return respond(response, 200, registry.contentType, text)
    }
    return respond(response, 404, 'text/plain', 'not found\n')
  })
  return {
    port: await listen(server, options),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function respond(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { 'content-type': type }).end(body)
}
