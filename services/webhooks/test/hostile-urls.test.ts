import { createServer, request as requestByName } from 'node:http'
import { hostileUrls } from '@storekeep/common/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { everything, listen, receiver, sender } from './send-harness.ts'

describe('hostile URLs', () => {
  /** A service that only this host may reach, on IPv4 and IPv6. */
  const requests: string[] = []
  const internal = createServer((incoming, response) => {
    requests.push(incoming.headers.host ?? '')
    response.end('internal')
  })
  let port: number
  beforeAll(async () => {
    port = await listen(internal, '::')
  })
  afterAll(() => {
    internal.close()
    internal.closeAllConnections()
  })
  const withPort = (url: string) => url.replace(/^(ht\n?tp:[/\\]{2}[^/\\]+)/, `$1:${port}`)

  it('are at least 40, of which many reach the host itself', () => {
    expect(hostileUrls.length).toBeGreaterThan(60)
    expect(hostileUrls.filter(({ reachesLoopback }) => reachesLoopback).length).toBeGreaterThan(25)
  })

  it.each(hostileUrls)('$trick: $url is rejected before a connection is made', async ({ url, dns = [] }) => {
    const before = requests.length
    const send = sender({ allowedNetworks: [], resolve: async () => dns })
    expect(await send(withPort(url))).toMatchObject({ kind: 'failure', reason: 'address-rejected' })
    expect(requests.length).toBe(before)
  })

  it.each(hostileUrls.filter(({ reachesLoopback }) => reachesLoopback))(
    '$trick: $url reaches the host without the check (negative control)',
    async ({ url, dns = [] }) => {
      const before = requests.length
      const send = sender({ allowedNetworks: everything, resolve: async () => dns })
      expect(await send(withPort(url))).toMatchObject({ kind: 'response', status: 200, body: 'internal' })
      expect(requests.length).toBe(before + 1)
    },
  )

  it('a DNS answer that changes between check and connection has no effect: the checked address is used', async () => {
    const before = requests.length
    const answers = [['127.0.0.1'], ['127.0.0.2']]
    const addresses: (string | undefined)[] = []
    const url = await receiver((incoming, response) => {
      addresses.push(incoming.socket.localAddress)
      response.end()
    })
    // The first answer is allowed here. A second lookup would return the internal service.
    const send = sender({ resolve: async () => answers.shift() ?? [] })
    expect(await send(url.replace('127.0.0.1', 'rebind.test'))).toMatchObject({ kind: 'response', status: 200 })
    expect(addresses).toEqual(['127.0.0.1'])
    expect(await send(url.replace('127.0.0.1', 'rebind.test'))).toMatchObject({ reason: 'address-rejected' })
    expect(requests.length).toBe(before)
  })

  it('a changed DNS answer reaches the host if the connection looks the name up again (negative control)', async () => {
    const before = requests.length
    const answers = ['93.184.216.34', '127.0.0.1']
    const lookUp = () => answers.shift() ?? ''
    expect(lookUp()).toBe('93.184.216.34')
    await new Promise<void>((resolve, reject) => {
      const lookup = (
        _: string,
        _options: object,
        done: (error: null, found: { address: string; family: number }[]) => void,
      ) => done(null, [{ address: lookUp(), family: 4 }])
      requestByName(`http://rebind.test:${port}/`, { lookup: lookup as never }, (incoming) => {
        incoming.resume().on('end', resolve)
      })
        .on('error', reject)
        .end()
    })
    expect(requests.length).toBe(before + 1)
  })

  it('redirects are not followed', async () => {
    const before = requests.length
    for (const status of [301, 302, 303, 307, 308]) {
      const location = status === 301 ? 'http://169.254.169.254/latest/meta-data/' : `http://127.0.0.1:${port}/`
      const url = await receiver((_, response) => response.writeHead(status, { location }).end())
      expect(await sender()(url)).toMatchObject({ kind: 'response', status, headers: { location } })
    }
    expect(requests.length).toBe(before)
  })

  it('http URLs are rejected unless the installation allows them', async () => {
    const send = sender({ allowHttp: false, allowedNetworks: everything })
    expect(await send(`http://127.0.0.1:${port}/`)).toEqual({
      kind: 'failure',
      reason: 'address-rejected',
      message: 'The URL must start with https://.',
      durationMs: expect.any(Number),
    })
  })
})
