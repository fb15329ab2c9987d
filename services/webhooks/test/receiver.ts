import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, Socket } from 'node:net'
import { afterAll, beforeAll } from 'vitest'

/** A request as an endpoint received it. */
export interface Received {
  path: string
  id: string
  headers: IncomingMessage['headers']
  body: string
  payload: { type: string; timestamp: string; data: Record<string, unknown> }
}

/** How an endpoint responds: with a status, headers and body, or through `act` on the connection. */
export type Behavior = { status: number; headers?: Record<string, string>; body?: string } | { act: Act }
type Act = (response: ServerResponse, received: Received) => void

/** A server of a store that receives webhooks. Each path is an endpoint. */
export interface Receiver {
  url(path: string): string
  /** Sets how requests to the path are responded to, 200 by default. */
  behave(path: string, behavior: Behavior | ((received: Received, attempt: number) => Behavior)): void
  received(path: string): Received[]
  /** The largest number of concurrent requests to the path. */
  mostConcurrent(path: string): number
  /** Responds to requests that `hang` left open, and with 200 to later ones. */
  release(path: string, status?: number): void
}

/** Leaves requests without a response until `release`. */
export const hang: Behavior = { act: () => {} }
/** Closes the connection without a response. */
export const reset: Behavior = {
  act: ({ socket }) => {
    if (socket instanceof Socket) socket.resetAndDestroy()
  },
}
/** Responds one byte at a time, without end. */
export const drip: Behavior = {
  act: (response) => {
    response.writeHead(200, { 'content-type': 'text/plain' })
    const timer = setInterval(() => response.write('.'), 20)
    response.on('close', () => clearInterval(timer))
  },
}

export async function startReceiver(): Promise<Receiver & { close(): Promise<void> }> {
  const behaviors = new Map<string, (received: Received, attempt: number) => Behavior>()
  const all: Received[] = []
  const open = new Map<string, Set<ServerResponse>>()
  const most = new Map<string, number>()
  const server: Server = createServer((request, response) => void receive(request, response).catch(() => {}))

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? ''
    const responses = open.get(path) ?? new Set()
    open.set(path, responses.add(response))
    most.set(path, Math.max(most.get(path) ?? 0, responses.size))
    response.on('close', () => responses.delete(response))
    let body = ''
    for await (const chunk of request) body += chunk
    const id = String(request.headers['webhook-id'])
    const received = { path, id, headers: request.headers, body, payload: JSON.parse(body) }
    all.push(received)
    const attempt = all.filter((one) => one.path === path && one.id === id).length
    const behavior = behaviors.get(path)?.(received, attempt) ?? { status: 200 }
    if ('act' in behavior) behavior.act(response, received)
    else response.writeHead(behavior.status, behavior.headers).end(behavior.body)
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: (path) => `http://127.0.0.1:${port}${path}`,
    behave: (path, given) => void behaviors.set(path, typeof given === 'function' ? given : () => given),
    received: (path) => all.filter((one) => one.path === path),
    mostConcurrent: (path) => most.get(path) ?? 0,
    release(path, status = 200) {
      behaviors.delete(path)
      for (const response of open.get(path) ?? []) response.writeHead(status).end()
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A receiver for all tests of a file. */
export function useReceiver(): Receiver {
  let started: Awaited<ReturnType<typeof startReceiver>>
  beforeAll(async () => {
    started = await startReceiver()
  })
  afterAll(() => started.close())
  return {
    url: (path) => started.url(path),
    behave: (path, behavior) => started.behave(path, behavior),
    received: (path) => started.received(path),
    mostConcurrent: (path) => started.mostConcurrent(path),
    release: (path, status) => started.release(path, status),
  }
}
