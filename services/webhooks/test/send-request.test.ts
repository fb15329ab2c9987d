import { createSocket } from 'node:dgram'
import { createServer as createTlsServer } from 'node:https'
import { createServer as createTcpServer, type Socket } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { createResolver } from '@storekeep/common/outgoing'
import { createAuthority } from '@storekeep/common/testing/certificates'
import { describe, expect, it, onTestFinished } from 'vitest'
import { listen, rawReceiver, receiver, sender } from './send-harness.ts'

describe('a request', () => {
  it('sends headers and body with POST, and returns the response', async () => {
    const url = await receiver((incoming, response) => {
      incoming.setEncoding('utf8').once('data', (body: string) => {
        response.writeHead(201, {
          'x-seen': `${incoming.method} ${incoming.headers['x-test']} ${body.length}`,
          'retry-after': '7.5',
        })
        response.end('danke')
      })
    })
    expect(await sender()(url)).toEqual({
      kind: 'response',
      status: 201,
      headers: expect.objectContaining({ 'x-seen': 'POST 1 9', 'retry-after': '7.5' }),
      body: 'danke',
      retryAfterSeconds: 7.5,
      durationMs: expect.any(Number),
    })
  })

  it('reads 4 KiB of a body without end, whole characters only, and closes the connection', async () => {
    const { promise: closed, resolve: onClose } = Promise.withResolvers<void>()
    const url = await receiver((_, response) => {
      const write = () => {
        while (!response.destroyed && response.write('a'.repeat(4095) + '🦊'.repeat(1000)));
      }
      response.on('drain', write).on('close', onClose)
      write()
    })
    expect(await sender()(url)).toMatchObject({ kind: 'response', status: 200, body: 'a'.repeat(4095) })
    await closed
  })

  it('ends in time if the receiver never responds, or drips its headers or its body', async () => {
    const drip = (head: string) => (socket: Socket) => {
      socket.write(head)
      const timer = setInterval(() => socket.write('x'), 10)
      socket.on('close', () => clearInterval(timer))
    }
    const silent = await rawReceiver(() => {})
    const headers = await rawReceiver(drip('HTTP/1.1 200 OK\r\nx-drip: '))
    const body = await rawReceiver(drip('HTTP/1.1 200 OK\r\ncontent-length: 4000\r\n\r\n'))
    const send = sender()
    const outcomes = await Promise.all([silent, headers, body].map((url) => send(url, { timeoutMs: 2000 })))
    expect(outcomes).toMatchObject([{ reason: 'timeout' }, { reason: 'timeout' }, { reason: 'too-slow' }])
  })

  it('ends in time if DNS does not respond, and delays no other', async () => {
    const silent = createSocket('udp4')
    await new Promise<void>((resolve) => silent.bind(0, '127.0.0.1', resolve))
    onTestFinished(() => void silent.close())
    const resolver = createResolver([`127.0.0.1:${silent.address().port}`])
    onTestFinished(() => resolver.close())
    const url = await receiver((_, response) => response.end())
    const send = sender({
      resolve: (host) => (host === 'ok.test' ? Promise.resolve(['127.0.0.1']) : resolver.resolve(host)),
    })
    const hanging = Promise.all(Array.from({ length: 20 }, (_, n) => send(`http://h${n}.test/`, { timeoutMs: 1000 })))
    expect(await send(url.replace('127.0.0.1', 'ok.test'))).toMatchObject({ status: 200 })
    expect(new Set((await hanging).map((one) => one.kind === 'failure' && one.reason))).toEqual(new Set(['timeout']))
  })

  it.each([
    ['no HTTP', 'protocol', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['headers that are too large', 'protocol', `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`],
    [
      'another protocol (101)',
      'protocol',
      'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
    ],
    ['two lengths', 'protocol', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'],
    ['a body that breaks off', 'connection', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nab'],
    ['nothing', 'connection', ''],
  ])('fails if the receiver sends %s', async (_, reason, text) => {
    const url = await rawReceiver((socket) => socket.end(text))
    expect(await sender()(url)).toMatchObject({ kind: 'failure', reason })
  })

  it('fails if the receiver resets or rejects the connection, and if the name is unknown', async () => {
    expect(await sender()(await rawReceiver((socket) => socket.resetAndDestroy()))).toMatchObject({
      reason: 'connection',
    })
    const unused = createTcpServer()
    const port = await listen(unused)
    await new Promise((resolve) => unused.close(resolve))
    expect(await sender()(`http://127.0.0.1:${port}/`)).toMatchObject({ reason: 'connection' })
    const unknown = sender({ resolve: () => Promise.reject(Object.assign(new Error('x'), { code: 'ENOTFOUND' })) })
    expect(await unknown('https://unknown.test/')).toMatchObject({
      reason: 'dns',
      message: expect.stringContaining('unknown.test'),
    })
    expect(await sender({ resolve: async () => [] })('https://none.test/')).toMatchObject({ reason: 'dns' })
  })

  it('ends when it is aborted, before or during the request', async () => {
    const abort = new AbortController()
    const url = await receiver(() => abort.abort())
    const send = sender()
    expect(await send(url, { signal: abort.signal })).toMatchObject({ kind: 'failure', reason: 'connection' })
    expect(await send(url, { signal: abort.signal })).toMatchObject({ kind: 'failure', reason: 'connection' })
  })

  it('does not decompress a response', async () => {
    const bytes = gzipSync('a'.repeat(100_000))
    const url = await receiver((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bytes))
    const outcome = await sender()(url)
    expect(outcome).toMatchObject({ kind: 'response', headers: { 'content-encoding': 'gzip' } })
    expect(outcome.kind === 'response' && outcome.body.includes('aaaa')).toBe(false)
  })

  it('uses an idle connection, and sends a request once, also if the receiver closes it meanwhile', async () => {
    const sockets: Socket[] = []
    let count = 0
    const url = await receiver((incoming, response) => {
      if (!sockets.includes(incoming.socket)) sockets.push(incoming.socket)
      count += 1
      if (count === 3) incoming.socket.destroy()
      else response.end()
    })
    const send = sender()
    for (const [requests, used, kind] of [
      [1, 1, 'response'],
      [2, 1, 'response'],
      [3, 1, 'failure'],
      [4, 2, 'response'],
    ]) {
      expect(await send(url)).toMatchObject({ kind })
      expect([count, sockets.length]).toEqual([requests, used])
    }
  })
})

describe('a request over TLS', () => {
  const resolve = async () => ['127.0.0.1']

  async function tlsReceiver(names: readonly [string, ...string[]], hours?: number, trusted = true): Promise<string> {
    const authority = await createAuthority()
    const { cert, key } = await authority.issue(names, hours)
    const before = getCACertificates('default')
    if (trusted) setDefaultCACertificates([...before, authority.ca])
    const server = createTlsServer({ cert, key }, (_, response) => response.end('secure'))
    onTestFinished(() => {
      setDefaultCACertificates(before)
      server.close()
      server.closeAllConnections()
    })
    return `https://hooks.test:${await listen(server)}/`
  }

  it('is made to a receiver with a valid certificate, also for a name with a trailing dot', async () => {
    const url = await tlsReceiver(['hooks.test'])
    const send = sender({ resolve })
    expect(await send(url)).toMatchObject({ kind: 'response', body: 'secure' })
    expect(await send(url.replace('hooks.test', 'hooks.test.'))).toMatchObject({ kind: 'response', body: 'secure' })
  })

  it.each([
    ['of an unknown authority', 'hooks.test', 1, false],
    ['for another name', 'other.test', 1, true],
    ['that has expired', 'hooks.test', -1, true],
  ] as const)('fails if the receiver has a certificate %s', async (_, name, hours, trusted) => {
    const url = await tlsReceiver([name], hours, trusted)
    expect(await sender({ resolve })(url)).toMatchObject({ kind: 'failure', reason: 'tls' })
  })

  it('fails if the receiver speaks no TLS', async () => {
    const url = await receiver((_, response) => response.end())
    expect(await sender()(url.replace('http:', 'https:'))).toMatchObject({ kind: 'failure', reason: 'tls' })
  })
})
