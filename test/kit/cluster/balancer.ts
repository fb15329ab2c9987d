import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * Starts an HTTP load balancer in front of the gateways, like an ingress. It keeps connections open, polls /readyz twice a
 * second, distributes requests round-robin over the ready gateways, and retries nothing, so that failures are visible.
 *
 * With `next` it retries what nginx retries by default, once and at another gateway: requests whose connection failed and
 * interrupted GETs.
 */
export async function startBalancer({ next = false, isReady = isOk }: BalancerOptions = {}): Promise<Balancer> {
  const gateways = new Map<string, Gateway>()
  let turn = 0

  function choose(not?: Gateway): Gateway | undefined {
    const ready = [...gateways.values()].filter((gateway) => gateway.isReady && gateway !== not)
    turn += 1
    return ready[turn % ready.length]
  }

  const server = createServer(async (incoming, response) => {
    const body = await readAll(incoming)
    const first = choose()
    if (!first) return respondWith(response, 503, 'No gateway is ready.')
    pass(incoming, body, first, response, (error) => {
      const isUnsent = error.code === 'ECONNREFUSED'
      const second = balancer.next && (isUnsent || incoming.method === 'GET') ? choose(first) : undefined
      if (second)
        pass(incoming, body, second, response, (last) => respondWith(response, 502, `${last.code} ${last.message}`))
      else respondWith(response, 502, `${error.code} ${error.message}`)
    })
  })
  server.keepAliveTimeout = 600_000
  await new Promise<void>((resolve) => server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, resolve))
  const checks = setInterval(() => {
    for (const gateway of gateways.values()) void check(gateway, isReady)
  }, checkEveryMs)

  const balancer: Balancer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    next,
    async add(url) {
      const gateway = { url, agent: new Agent({ keepAlive: true, maxSockets: 256 }), isReady: false, timeouts: 0 }
      gateways.set(url, gateway)
      await check(gateway, isReady)
    },
    remove(url) {
      gateways.get(url)?.agent.destroy()
      gateways.delete(url)
    },
    async stop() {
      clearInterval(checks)
      for (const { agent } of gateways.values()) agent.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return balancer
}

function pass(
  incoming: IncomingMessage,
  body: Buffer,
  { url, agent }: Gateway,
  response: ServerResponse,
  onBroken: (error: NodeJS.ErrnoException) => void,
): void {
  const { connection, ...headers } = incoming.headers
  const outgoing = request(url + incoming.url, { agent, method: incoming.method, headers }, (inner) => {
    const { connection, 'keep-alive': keepAlive, 'transfer-encoding': encoding, ...rest } = inner.headers
    response.writeHead(inner.statusCode ?? 502, rest)
    inner.on('error', () => response.destroy())
    inner.pipe(response)
  })
  outgoing.once('error', (error) => (response.headersSent ? response.destroy() : onBroken(error)))
  outgoing.end(body)
}

async function readAll(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function respondWith(response: ServerResponse, status: number, reason: string): void {
  response.writeHead(status, { 'content-type': 'text/plain' }).end(`balancer: ${reason}`)
}

/** Uses a new connection, like kubelet. Only the third timeout in a row counts, since the machine may be busy. */
async function check(gateway: Gateway, isReady: NonNullable<BalancerOptions['isReady']>): Promise<void> {
  try {
    const signal = AbortSignal.timeout(checkTimeoutMs)
    const response = await fetch(`${gateway.url}/readyz`, { headers: { connection: 'close' }, signal })
    gateway.isReady = await isReady(response)
    gateway.timeouts = 0
  } catch (error) {
    gateway.timeouts += 1
    const isLate = error instanceof Error && error.name === 'TimeoutError'
    if (!isLate || gateway.timeouts >= 3) gateway.isReady = false
  }
}

const checkEveryMs = 500
const checkTimeoutMs = 1_000

async function isOk({ ok }: Response): Promise<boolean> {
  return ok
}

interface BalancerOptions {
  next?: boolean
  /** Decides by the response of /readyz; by its status unless given. */
  isReady?: (response: Response) => Promise<boolean>
}

interface Gateway {
  url: string
  agent: Agent
  isReady: boolean
  timeouts: number
}

export interface Balancer {
  readonly url: string
  next: boolean
  /** Resolves after the first readiness check. */
  add(url: string): Promise<void>
  remove(url: string): void
  stop(): Promise<void>
}
