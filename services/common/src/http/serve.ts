import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http'
import type { ConnectionsConfig } from './guard-connections.ts'
import { http } from './node-http.ts'

/** Creates a server with timeouts and limits against slow and hostile clients. The caller adds the listeners. */
export function createHttpServer<
  Request extends typeof IncomingMessage = typeof IncomingMessage,
  Response extends typeof ServerResponse<InstanceType<Request>> = typeof ServerResponse<InstanceType<Request>>,
>({ headersTimeoutMs }: ConnectionsConfig, options: ServerOptions<Request, Response> = {}): Server<Request, Response> {
  const server = http.createServer({
    ...options,
    headersTimeout: headersTimeoutMs,
    requestTimeout: 15_000,
    connectionsCheckingInterval: 1_000,
    keepAliveTimeout: 65_000,
    // The longest list filter takes 12 KB when every character is percent-encoded.
    maxHeaderSize: 16 * 1024,
  })
  server.maxRequestsPerSocket = 10_000
  return server
}

/** Fails readiness and closes connections after their response; then refuses new ones; then waits for requests in flight. */
export async function drain(server: Server, { config, lifecycle }: DrainContext): Promise<void> {
  const { delayMs, graceMs } = config.shutdown
  lifecycle.draining = true
  if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs))
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  const forceClose = setTimeout(() => server.closeAllConnections(), graceMs)
  await closed
  clearTimeout(forceClose)
}

interface DrainContext {
  config: {
    shutdown: {
      /** Delay between failing readiness and refusing connections, for load balancers to notice. */
      delayMs: number
      /** Time for requests in flight to finish after that. */
      graceMs: number
    }
  }
  /** While it is draining, readiness fails and responses close their connections. */
  lifecycle: { draining: boolean }
}
