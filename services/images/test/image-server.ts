import type { IncomingHttpHeaders, RequestListener } from 'node:http'
import { http, listen } from '@storekeep/common/net'
import { afterAll, beforeAll } from 'vitest'

/** A server on this machine, as a store's CDN. Each path responds as the test says, and otherwise with 404. */
export interface ImageServer {
  /** The address of a path; the host may be a name. */
  url(path: string, host?: string): string
  respond(path: string, listener: RequestListener): void
  /** Responds with these bytes. */
  serve(path: string, body: Buffer, headers?: Record<string, string>): void
  /** The headers of the requests to a path, oldest first. */
  requests(path: string): IncomingHttpHeaders[]
}

export function useImageServer(): ImageServer {
  const listeners = new Map<string, RequestListener>()
  const received: { path: string; headers: IncomingHttpHeaders }[] = []
  const server = http.createServer((request, response) => {
    const path = request.url ?? ''
    received.push({ path, headers: request.headers })
    const listener = listeners.get(path)
    if (listener) listener(request, response)
    else response.writeHead(404).end('nothing here')
  })
  let port: number
  beforeAll(async () => {
    port = await listen(server, { host: '127.0.0.1', port: 0 })
  })
  afterAll(() => {
    server.close()
    server.closeAllConnections()
  })
  return {
    url: (path, host = '127.0.0.1') => `http://${host}:${port}${path}`,
    respond: (path, listener) => void listeners.set(path, listener),
    serve: (path, body, headers = {}) =>
      void listeners.set(path, (_, response) => response.writeHead(200, headers).end(body)),
    requests: (path) => received.filter((one) => one.path === path).map(({ headers }) => headers),
  }
}
