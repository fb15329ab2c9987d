import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach } from 'vitest'
import { Storekeep, type StorekeepOptions } from '../src/index.ts'
import { Storefront, type StorefrontOptions } from '../src/storefront.ts'

export const apiKey = 'skapi_00TestKeyThatMustNotLeak'
export const storeId = '411486491630370816'

/**
 * Starts an HTTP server on which the n-th request gets the n-th reply, and the last one repeats. It stops after the test.
 */
export async function startServer(...replies: Reply[]): Promise<ScriptedServer> {
  const requests: SeenRequest[] = []
  const server = createServer(async (req, res) => {
    const body = await text(req).catch(() => '')
    requests.push({ method: req.method ?? '', url: req.url ?? '', headers: req.headers, body })
    await replies[Math.min(requests.length, replies.length) - 1]?.(res, req)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  running.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    baseUrl,
    requests,
    storekeep: (options) => new Storekeep({ apiKey, storeId, baseUrl, ...options }),
    storefront: (options) => new Storefront({ storeId, baseUrl, ...options }),
  }
}

const running: (() => void)[] = []
afterEach(() => {
  for (const stop of running.splice(0)) stop()
})

/** A JSON response. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}): Reply {
  return (res) => {
    res.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'req-1', ...headers })
    res.end(JSON.stringify(body))
  }
}

/** An error of the gateway. */
export function fault(
  status: number,
  code: string,
  headers: Record<string, string> = {},
  errors: unknown = null,
): Reply {
  return json(status, { status, code, message: `Message of ${code}.`, trace_id: 'a'.repeat(32), errors }, headers)
}

/** Lets the client retry immediately. */
export const soon = { 'retry-after': '0' }

/** Closes the connection without a response. */
export const reset: Reply = (res) => {
  res.socket?.destroy()
}

/** Announces a longer body than it sends. */
export const cutOff: Reply = (res) => {
  res.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
  res.write('{"id": "1", ', () => res.socket?.destroy())
}

/** Never responds. */
export const hang: Reply = () => {}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = []
  for await (const item of items) collected.push(item)
  return collected
}

export type Reply = (res: ServerResponse, req: IncomingMessage) => void | Promise<void>

interface SeenRequest {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: string
}

interface ScriptedServer {
  baseUrl: string
  /** The received requests. */
  requests: SeenRequest[]
  storekeep(options?: Partial<StorekeepOptions>): Storekeep
  storefront(options?: Partial<StorefrontOptions>): Storefront
}
