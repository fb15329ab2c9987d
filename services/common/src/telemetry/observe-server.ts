import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Metrics } from './metrics.ts'

/**
 * The small HTTP side of a gRPC service: `/metrics` for Prometheus, `/healthz` (the event loop turns) and `/readyz`
 * (the service can answer and is not draining) for people and for platforms without gRPC probes.
 *
 * @returns the port it listens on and how to close it
 */
export async function startObserveServer(options: {
  host: string
  port: number
  metrics: Metrics
  ready: () => Promise<boolean>
}): Promise<{ port: number; close(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    if (request.url === '/healthz') return answer(response, 200, 'text/plain', 'ok\n')
    if (request.url === '/readyz') {
      const ready = await options.ready().catch(() => false)
      return answer(response, ready ? 200 : 503, 'text/plain', ready ? 'ready\n' : 'not ready\n')
    }
    if (request.url === '/metrics') {
      const { registry } = options.metrics
      const text = await registry.metrics().catch(() => undefined)
      if (text === undefined) return answer(response, 500, 'text/plain', 'a metric could not be read\n')
      return answer(response, 200, registry.contentType, text)
    }
    return answer(response, 404, 'text/plain', 'not found\n')
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, options.host, resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function answer(response: import('node:http').ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { 'content-type': type }).end(body)
}
