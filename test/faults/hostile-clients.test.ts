import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import {
  createHttpClient,
  fresh,
  report,
  type ServiceProcess,
  type System,
  scaled,
  startSystem,
  type TestStore,
  waitFor,
  watchMemory,
} from '@storekeep/test/kit'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

const [guarded, unguarded] = [0, 1]

let system: System
let store: TestStore
/** Peak memory of each gateway in MiB while it serves clients that read. */
const usualPeaks = new Map<ServiceProcess, number>()
beforeAll(async () => {
  system = await startSystem({
    only: ['stores', 'customers'],
    settings: {
      gateway: {
        RATE_LIMIT_API_KEY_PER_MINUTE: '100000000',
        // Generous for a busy machine.
        REQUEST_TIMEOUT_MS: '15000',
        // All clients of this test have the same address.
        MAX_CONNECTIONS_PER_ADDRESS: '100000',
        LOG_LEVEL: 'warn',
      },
    },
    gateways: [
      { WRITE_TIMEOUT_MS: '5000' },
      { WRITE_TIMEOUT_MS: '600000', MAX_UNSENT_MIB: '65536', MAX_UNFINISHED_BODIES_MIB: '65536' },
    ],
  })
  store = await system.createStore()
  const metadata = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`key_${index}`, 'x'.repeat(500)]))
  const customers = Array.from({ length: 25 }, () => ({ metadata }))
  for (let batch = 0; batch < 4; batch += 1) {
    const named = customers.map((customer) => ({ ...customer, name: fresh.name() }))
    expect((await store.post('/customers/bulk', named)).status).toBe(200)
  }
  for (const gateway of system.gateways) usualPeaks.set(gateway, await peakOfReaders(gateway))
})
afterAll(() => system?.stop())

const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})

/** Memory in MiB. The chart gives a gateway 384; it needs about 200. */
describe('50 clients that send many requests and never read', () => {
  const clients = 50
  const maxGrowth = 50

  /** Each client sends its requests once the one before has received something or was cut off, so that none gets a 503. */
  async function attack(index: number, requests: string): Promise<{ growth: number; closed: () => Promise<number> }> {
    const gateway = gatewayAt(index)
    const closedBefore = await closedBy(gateway)
    const usualPeak = usualPeaks.get(gateway) ?? Number.NaN
    const memory = watchMemory(gateway.pid)
    for (let count = 0; count < clients; count += 1) {
      const socket = open(gateway)
      socket.write(requests)
      await new Promise((resolve) => socket.once('readable', resolve).once('close', resolve))
    }
    await serveOthers(gateway, 50)
    const closed = async () => (await closedBy(gateway)) - closedBefore
    if (index === guarded) await waitFor('all of them to be cut off', async () => (await closed()) === clients)
    const [{ before }, peak] = [memory, memory.peak()]
    const growth = peak - Math.max(before, usualPeak)
    report('never reading', { gateway: index, 'usual peak': usualPeak, before, peak, growth, closed: await closed() })
    return { growth, closed }
  }
  const list = () => {
    const target = `/v1/stores/${store.id}/customers?limit=100`
    return `GET ${target} HTTP/1.1\r\nhost: x\r\nauthorization: APIKey ${store.apiKey}\r\n\r\n`.repeat(8)
  }

  /**
   * The least growth of three attacks at most. Node frees buffers late, which can add to one attack; responses that pile up
   * would add to each.
   */
  async function leastGrowth(requests: string): Promise<number> {
    let least = Number.POSITIVE_INFINITY
    for (let attempt = 0; attempt < 3 && least > maxGrowth; attempt += 1) {
      least = Math.min(least, (await attack(guarded, requests)).growth)
    }
    return least
  }

  it.each([
    ['as many static files as a connection accepts', 8],
    ['more requests than a connection accepts', 3000],
  ])('occupy little memory with %s', async (_, count) => {
    const requests = 'GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(count)
    expect(await leastGrowth(requests)).toBeLessThanOrEqual(maxGrowth)
  })

  it('occupy little memory with large lists', async () => {
    expect(await leastGrowth(list())).toBeLessThanOrEqual(maxGrowth)
  })

  it('occupy much memory and stay connected when unread responses have no limit (negative control)', async () => {
    const { growth, closed } = await attack(unguarded, list())
    expect(growth).toBeGreaterThan(maxGrowth)
    expect(await closed()).toBe(0)
  })
})

describe('300 unfinished bodies of nearly 1 MiB with one API key', () => {
  const clients = 300
  const bodyBytes = 1024 * 1024
  const maxGrowth = 150

  /** Sends them all, and returns the growth of memory in MiB so far. */
  async function attack(gateway: ServiceProcess): Promise<() => number> {
    const memory = watchMemory(gateway.pid)
    const head = `POST /v1/stores/${store.id}/customers/bulk HTTP/1.1\r\nhost: x\r\nauthorization: APIKey ${store.apiKey}\r\n`
    for (let count = 0; count < clients; count += 1) {
      const socket = open(gateway)
      socket.resume()
      socket.write(`${head}content-type: application/json\r\ncontent-length: ${bodyBytes}\r\n\r\n`)
      socket.write(Buffer.alloc(bodyBytes - 1, ' '))
    }
    return () => memory.peak() - memory.before
  }

  it('occupy little memory while others are served', async () => {
    const gateway = gatewayAt(guarded)
    const growth = await attack(gateway)
    // 32 of them fit.
    await waitFor('the others to be rejected', async () => (await rejectedBodies(gateway)) >= clients - 32)
    await serveOthers(gateway, 20)
    report('unfinished bodies', { clients, growth: growth() })
    expect(growth()).toBeLessThanOrEqual(maxGrowth)
  })

  it('occupy much memory without a bound (negative control)', async () => {
    // Freed memory of an earlier attack could hold these bodies, so that the process would not grow.
    await gatewayAt(unguarded).restart()
    const growth = await attack(gatewayAt(unguarded))
    await waitFor('memory to grow', () => growth() > maxGrowth)
    expect(await rejectedBodies(gatewayAt(unguarded))).toBe(0)
  })

  async function rejectedBodies({ url }: ServiceProcess): Promise<number> {
    const text = await (await fetch(`${url}/metrics`)).text()
    return Number(/^rate_limited_requests_total\{policy="unfinished-bodies".*\} (\d+)$/m.exec(text)?.[1])
  }
})

/** Goal 16. Half of the clients never end their headers, the other half never end their body. */
describe('clients that send one line at a time', () => {
  const clients = scaled(2000)
  const maxGrowth = 100

  it('are cut off and occupy little memory while others are served, unlike at a server without timeouts (negative control)', async () => {
    const gateway = gatewayAt(guarded)
    const control = await startWithoutTimeouts()
    const memory = watchMemory(gateway.pid)
    const startedAt = performance.now()
    const [attackers, kept] = [sendSlowly(gateway, clients), sendSlowly(control.address, 20)]
    const timer = setInterval(() => {
      for (const socket of sockets) if (socket.writable) socket.write('x-more: headers\r\n')
    }, 500)
    try {
      await Promise.all([
        waitFor('all of them to be cut off', () => attackers.every(({ destroyed }) => destroyed)),
        serveOthers(gateway, scaled(500)),
      ])
    } finally {
      clearInterval(timer)
      control.close()
    }
    report('sending slowly', {
      clients,
      seconds: ((performance.now() - startedAt) / 1000).toFixed(1),
      before: memory.before,
      peak: memory.peak(),
    })
    expect(kept.filter(({ destroyed }) => destroyed)).toEqual([])
    expect(memory.peak() - memory.before).toBeLessThanOrEqual(maxGrowth)
  })

  function sendSlowly(server: Address, count: number): Socket[] {
    return Array.from({ length: count }, (_, index) => {
      const socket = open(server)
      socket.resume()
      socket.write(index % 2 === 0 ? 'GET / HTTP/1.1\r\nhost: x\r\n' : unfinishedBody())
      return socket
    })
  }
  /** A sign-in, because its body is read before the caller is known. */
  const unfinishedBody = () =>
    `POST /v1/store/customer/auth HTTP/1.1\r\nhost: x\r\nx-service-store-id: ${store.id}\r\n` +
    'content-type: application/json\r\ncontent-length: 10000\r\n\r\n'
})

/**
 * The peak while clients read many of the large responses: Node collects their buffers late, so that part of the memory
 * does not depend on clients that do not read.
 */
async function peakOfReaders(gateway: ServiceProcess): Promise<number> {
  const memory = watchMemory(gateway.pid)
  const lists = Array.from({ length: 4 }, () => serveOthers(gateway, 20, '/customers?limit=100'))
  const files = async () => {
    const path = '/openapi.json'
    for (let count = 0; count < 30; count += 1) await (await fetch(gateway.url + path)).arrayBuffer()
  }
  await Promise.all([...lists, files()])
  return memory.peak()
}

/** Expects that another client is served. */
async function serveOthers({ url }: ServiceProcess, count: number, path = '/customers?limit=1'): Promise<void> {
  const http = createHttpClient(url, { retries: true })
  const shop = store.through(http)
  for (let sent = 0; sent < count; sent += 1) expect((await shop.get(path)).status).toBe(200)
  http.close()
}

function gatewayAt(index: number): ServiceProcess {
  const gateway = system.gateways[index]
  if (!gateway) throw new Error(`There is no gateway ${index}.`)
  return gateway
}

function open({ port, host }: Address): Socket {
  const socket = connect(port, host)
  socket.on('error', () => socket.destroy())
  socket.on('end', () => socket.destroy())
  sockets.push(socket)
  return socket
}

type Address = Pick<ServiceProcess, 'host' | 'port'>

async function startWithoutTimeouts(): Promise<{ address: Address; close: () => void }> {
  const server: Server = createServer({ headersTimeout: 0, requestTimeout: 0 }, (req) => req.resume())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return { address: { host: '127.0.0.1', port: (server.address() as AddressInfo).port }, close }
}

/** How many connections this gateway has cut off. */
async function closedBy({ url }: ServiceProcess): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const counts = [...text.matchAll(/^connections_closed_total\{.*\} (\d+)$/gm)].map(([, count]) => Number(count))
  return counts.reduce((sum, count) => sum + count, 0)
}
