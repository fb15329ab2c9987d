import { createHash, randomBytes } from 'node:crypto'
import { createServer, IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, BlockList, connect, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { guardConnections } from '@storekeep/common/http'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { readConfig } from '../src/config.ts'
import { createGatewayMetrics } from '../src/metrics.ts'

const closers: (() => unknown)[] = []
afterEach(() => {
  for (const close of closers.splice(0).reverse()) close()
})

describe('requests sent ahead of their responses', () => {
  const get = (count: number) =>
    Array.from({ length: count }, (_, index) => `GET /${index} HTTP/1.1\r\nhost: x\r\n\r\n`).join('')
  const tooMany = 3000

  async function sendAhead(count: number, isGuarded = true) {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const started: string[] = []
    const server = await listen(
      async ({ url = '' }, res) => {
        started.push(url)
        await released
        res.end(`${url}\n`)
      },
      { isGuarded },
    )
    const socket = server.connect()
    socket.write(get(count))
    return { ...server, socket, started, release }
  }

  it('are handled one after another, in order, as often as a client sends them', async () => {
    const { socket, started, parsed, release, closed } = await sendAhead(8)
    await vi.waitFor(() => expect(parsed()).toBe(8), 60_000)
    expect(started).toEqual(['/0'])
    release()
    const responses = Array.from({ length: 8 }, (_, index) => `/${index}`)
    for (let round = 0; round < 3; round += 1) {
      if (round > 0) socket.write(get(8))
      const received = await until(socket, (text) => text.includes('/7\n'))
      expect(received.match(/\/\d+(?=\n)/g)).toEqual(responses)
    }
    expect(await closed()).toEqual({})
  })

  it('close the connection if they are too many, and are not handled', async () => {
    const { socket, started, sockets, closed, release } = await sendAhead(tooMany)
    await vi.waitFor(() => expect(sockets[0]?.closed).toBe(true), 60_000)
    expect(await closed()).toEqual({ 'pipelined-requests': 1 })
    release()
    await expect(buffer(socket)).rejects.toThrow('ECONNRESET')
    expect(started).toEqual(['/0'])
  })

  it('are all started by Node alone (negative control)', async () => {
    const { started, closed, release } = await sendAhead(tooMany, false)
    await vi.waitFor(() => expect(started).toHaveLength(tooMany), 60_000)
    expect(await closed()).toEqual({})
    release()
  })

  it('keep their bodies of any size, and get a response after the client has finished sending', async () => {
    const { connect } = await listen(async (req, res) => {
      res.end(`${digest(await buffer(req))}\n`)
    })
    const bodies = [0, 1, 2047, 2048, 2049, 70_000, 300_000, 3].map((size) => randomBytes(size))
    const socket = connect()
    socket.end(
      Buffer.concat(
        bodies.flatMap((body) => [
          Buffer.from(`POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n\r\n`),
          body,
        ]),
      ),
    )
    const received = (await buffer(socket)).toString()
    expect(received.match(/[\w-]{43}(?=\n)/g)).toEqual(bodies.map(digest))
  })

  it('are not handled after a response that closes the connection', async () => {
    const started: unknown[] = []
    const { connect } = await listen(({ url }, res) => {
      started.push(url)
      res.setHeader('connection', 'close').end()
    })
    const socket = connect()
    socket.write(get(8))
    await buffer(socket).catch(() => {})
    expect(started).toEqual(['/0'])
  })
})

describe('a client that does not read its response', () => {
  // Exceeds the operating system's buffers for a client that does not read.
  const large = Buffer.alloc(16 * 1024 * 1024)
  const get = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n'

  function respond(res: ServerResponse, body: Buffer | string, onEnd: () => void): void {
    res.end(body)
    onEnd()
  }

  it('is cut off after the timeout, and no other client is', async () => {
    const { connect, sockets, closed } = await listen(
      ({ url }, res, onEnd) => respond(res, url === '/' ? large : 'small', onEnd),
      {
        writeTimeoutMs: 100,
        maxUnsentBytes: 2 * large.length,
      },
    )
    const [lazy, eager] = [connect(), connect()]
    lazy.write(get)
    await vi.waitFor(() => expect(sockets.filter(({ destroyed }) => destroyed)).toHaveLength(1), 60_000)
    expect(await closed()).toEqual({ 'write-timeout': 1 })
    eager.write(get.replace('/', '/small'))
    expect(await until(eager, (text) => text.endsWith('small'))).toMatch(/^HTTP\/1\.1 200 /)
  })

  it('is cut off earlier when the unsent responses exceed their limit, the longest-waiting first', async () => {
    const { connect, sockets, closed } = await listen((_req, res, onEnd) => respond(res, large, onEnd), {
      maxUnsentBytes: 2.5 * large.length,
    })
    for (let index = 0; index < 3; index += 1) {
      connect().write(get)
      await vi.waitFor(() => expect(sockets[index]?.bytesWritten).toBeGreaterThan(large.length), 60_000)
    }
    expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true, false, false])
    expect(await closed()).toEqual({ 'unsent-bytes': 1 })
  })
})

describe('connections of one address', () => {
  it('are rejected beyond the limit, until an earlier one is closed', async () => {
    const { connect, sockets, closed } = await listen((_req, res) => res.end('ok'), { maxPerAddress: 3 })
    const clients = Array.from({ length: 4 }, connect)
    await vi.waitFor(() => expect(sockets).toHaveLength(4), 60_000)
    expect(sockets.map(({ destroyed }) => destroyed)).toEqual([false, false, false, true])
    expect(await closed()).toEqual({ 'address-limit': 1 })
    clients[0]?.destroy()
    await vi.waitFor(() => expect(sockets[0]?.closed).toBe(true), 60_000)
    connect()
    await vi.waitFor(() => expect(sockets).toHaveLength(5), 60_000)
    expect(sockets[4]?.destroyed).toBe(false)
  })

  it('are not limited for a trusted proxy', async () => {
    const trustedProxies = new BlockList()
    trustedProxies.addAddress('127.0.0.1')
    const { connect, sockets, closed } = await listen((_req, res) => res.end('ok'), {
      maxPerAddress: 3,
      trustedProxies,
    })
    for (let count = 0; count < 6; count += 1) connect()
    await vi.waitFor(() => expect(sockets).toHaveLength(6), 60_000)
    expect(await closed()).toEqual({})
  })
})

/** Starts an HTTP server with these limits. */
async function listen(handle: Parameters<typeof guardConnections>[1], options: Options = {}) {
  const { isGuarded = true, trustedProxies = new BlockList(), ...limits } = options
  let parsed = 0
  class CountedMessage extends IncomingMessage {
    constructor(socket: Socket) {
      super(socket)
      parsed += 1
    }
  }
  const config = readConfig(requiredSettings)
  const metrics = createGatewayMetrics()
  const server = createServer({ IncomingMessage: CountedMessage })
  const guarded = {
    config: {
      ...config,
      http: { ...config.http, trustedProxies },
      connections: { ...config.connections, ...limits },
    },
    metrics,
  }
  server.on('request', isGuarded ? guardConnections(server, handle, guarded) : (req, res) => handle(req, res, () => {}))
  const sockets: Socket[] = []
  server.on('connection', (socket) => sockets.push(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => server.close(), server.closeAllConnections.bind(server))
  return {
    /** The connections, as the server sees them. */
    sockets,
    parsed: () => parsed,
    connect(): Socket {
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
      socket.on('error', () => {})
      closers.push(() => socket.destroy())
      return socket
    },
    /** How many connections were closed, by reason. */
    async closed(): Promise<Record<string, number>> {
      const { values } = await metrics.closedConnections.get()
      return Object.fromEntries(
        values.filter(({ value }) => value > 0).map(({ labels, value }) => [labels.reason, value]),
      )
    },
  }
}

interface Options {
  isGuarded?: boolean
  trustedProxies?: BlockList
  maxPerAddress?: number
  maxUnsentBytes?: number
  writeTimeoutMs?: number
}

/** Reads until the text so far satisfies the condition. */
async function until(socket: Socket, isEnough: (text: string) => boolean): Promise<string> {
  let text = ''
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    text += String(chunk)
    if (isEnough(text)) break
  }
  return text
}

function digest(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('base64url')
}

const address = 'localhost:1'
const requiredSettings = {
  STORES_ADDRESS: address,
  CUSTOMERS_ADDRESS: address,
  BANS_ADDRESS: address,
  CUSTOM_VARIABLES_ADDRESS: address,
  COUPONS_ADDRESS: address,
  CHECKOUT_ADDRESS: address,
  ORDERS_ADDRESS: address,
  DELIVERY_ADDRESS: address,
  EMAILS_ADDRESS: address,
  WEBHOOKS_ADDRESS: address,
  SEARCH_ADDRESS: address,
  REDIS_URL: 'redis://localhost',
  CHECKOUT_BASE_URL: 'https://pay.example.com',
  CALL_KEYS: `gateway:stores=${'k'.repeat(43)}`,
}
