import { gzipSync } from 'node:zlib'
import { systemClock } from '@storekeep/common/clock'
import { hostileUrls } from '@storekeep/common/testing'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createFetcher, type ImageVersion } from '../src/adapters/fetch-image.ts'
import { useImageServer } from './image-server.ts'
import { encoded } from './pictures.ts'

const server = useImageServer()
const unknown: ImageVersion = { etag: null, lastModified: null }
let png: Buffer
beforeAll(async () => {
  png = await encoded('png')
})

function fetcher(options: Partial<Parameters<typeof createFetcher>[0]> = {}) {
  const created = createFetcher({
    allowHttp: true,
    allowedNetworks: ['127.0.0.1/32'],
    timeoutMs: 60_000,
    clock: systemClock,
    ...options,
  })
  onTestFinished(() => created.close())
  return (path: string, known = unknown) => created.fetch(path.startsWith('/') ? server.url(path) : path, known)
}

describe('an image', () => {
  it('is fetched without a cookie, a referrer or a compression, and its bytes determine its type', async () => {
    server.serve('/plain', png, { 'content-type': 'text/html', 'set-cookie': 'a=b', etag: '"1"' })
    const fetched = await fetcher()('/plain')
    expect(fetched).toEqual({ bytes: png, type: 'png', version: { etag: '"1"', lastModified: null } })
    await fetcher()('/plain')
    for (const headers of server.requests('/plain')) {
      expect(headers).toMatchObject({ 'accept-encoding': 'identity', 'user-agent': 'Storekeep-Images/1.0' })
      expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['cookie']))
      expect(headers.referer).toBeUndefined()
    }
  })

  it('that has not changed is not fetched again', async () => {
    server.respond('/same', (_, response) => response.writeHead(304).end())
    const lastModified = 'Tue, 24 Nov 2026 10:00:00 GMT'
    expect(await fetcher()('/same', { etag: '"7"', lastModified })).toBeUndefined()
    expect(server.requests('/same')[0]).toMatchObject({ 'if-none-match': '"7"', 'if-modified-since': lastModified })
    await expect(fetcher()('/same')).rejects.toMatchObject({ reason: 'status' })
  })

  it('a validator that cannot be sent back is ignored', async () => {
    server.serve('/odd', png, { etag: `"${'x'.repeat(300)}"`, 'last-modified': '\u00e4' })
    expect((await fetcher()('/odd'))?.version).toEqual(unknown)
  })

  it('may be behind three redirects, not four', async () => {
    for (let hop = 1; hop <= 4; hop += 1) {
      const location = hop === 1 ? '/end' : `/hop-${hop - 1}`
      server.respond(`/hop-${hop}`, (_, response) => response.writeHead(302, { location }).end())
    }
    server.serve('/end', png)
    expect((await fetcher()('/hop-3'))?.type).toBe('png')
    await expect(fetcher()('/hop-4')).rejects.toMatchObject({ reason: 'too-many-redirects' })
  })
})

describe('an attack', () => {
  it.each(hostileUrls)('$trick: $url is rejected before a connection is made', async ({ url, dns = [] }) => {
    const fetch = fetcher({ allowedNetworks: [], resolve: async () => dns })
    await expect(fetch(url)).rejects.toMatchObject({ reason: 'address-rejected' })
  })

  it('a redirect to an internal address is rejected, and followed if the address is allowed (negative control)', async () => {
    server.serve('/secret', png)
    const before = server.requests('/secret').length
    server.respond('/leads-inside', (_, response) =>
      response.writeHead(302, { location: server.url('/secret', 'internal.test') }).end(),
    )
    const addresses: Record<string, string[]> = { 'cdn.test': ['127.0.0.1'], 'internal.test': ['10.0.0.1'] }
    const resolve = async (host: string) => addresses[host] ?? []
    const url = server.url('/leads-inside', 'cdn.test')
    await expect(fetcher({ resolve })(url)).rejects.toMatchObject({ reason: 'address-rejected' })
    expect(server.requests('/secret').length).toBe(before)
    addresses['internal.test'] = ['127.0.0.1']
    expect((await fetcher({ resolve })(url))?.type).toBe('png')
    expect(server.requests('/secret').length).toBe(before + 1)
  })

  it.each([301, 302, 303, 307, 308])('a redirect (%d) to the metadata of a cloud is rejected', async (status) => {
    const location = 'http://169.254.169.254/latest/meta-data/'
    server.respond('/metadata', (_, response) => response.writeHead(status, { location }).end())
    await expect(fetcher()('/metadata')).rejects.toMatchObject({ reason: 'address-rejected' })
  })

  it('a name that resolves to another address for each lookup is connected to the checked one only', async () => {
    server.serve('/rebind', png)
    const answers = [['127.0.0.1'], ['10.0.0.1']]
    const fetch = fetcher({ resolve: async () => answers.shift() ?? [] })
    const url = server.url('/rebind', 'rebind.test')
    expect((await fetch(url))?.type).toBe('png')
    await expect(fetch(url)).rejects.toMatchObject({ reason: 'address-rejected' })
  })

  it('a body without end is cut off after 5 MiB', async () => {
    const { promise: closed, resolve: onClose } = Promise.withResolvers<void>()
    server.respond('/endless', (_, response) => {
      const block = Buffer.alloc(64 * 1024)
      const write = () => {
        while (!response.destroyed && response.write(block));
      }
      response.writeHead(200).on('drain', write).on('close', onClose)
      response.write(png)
      write()
    })
    await expect(fetcher()('/endless')).rejects.toMatchObject({ reason: 'too-large' })
    await closed
  })

  it('5 MiB are accepted, and one byte more is not', async () => {
    const padded = (bytes: number) => Buffer.concat([png, Buffer.alloc(bytes - png.length)])
    server.serve('/largest', padded(5 * 1024 * 1024))
    server.serve('/larger', padded(5 * 1024 * 1024 + 1))
    expect((await fetcher()('/largest'))?.bytes.length).toBe(5 * 1024 * 1024)
    await expect(fetcher()('/larger')).rejects.toMatchObject({ reason: 'too-large' })
  })

  it('a server that sends single bytes, or never responds, is given up', async () => {
    server.respond('/drip', (_, response) => {
      response.writeHead(200)
      const timer = setInterval(() => response.write('\x89'), 20)
      response.on('close', () => clearInterval(timer))
    })
    server.respond('/silent', () => {})
    const fetch = fetcher({ timeoutMs: 1000 })
    await expect(fetch('/drip')).rejects.toMatchObject({ reason: 'too-slow' })
    await expect(fetch('/silent')).rejects.toMatchObject({ reason: 'timeout' })
  })

  it('redirects share one time limit', async () => {
    server.respond('/slow-hop', (_, response) => response.writeHead(302, { location: '/silent-end' }).end())
    server.respond('/silent-end', () => {})
    await expect(fetcher({ timeoutMs: 1000 })('/slow-hop')).rejects.toMatchObject({ reason: 'timeout' })
  })

  it('a compressed body is not decompressed, however small it is', async () => {
    const bomb = gzipSync(Buffer.alloc(100 * 1024 * 1024))
    expect(bomb.length).toBeLessThan(200_000)
    server.serve('/gzip', bomb, { 'content-encoding': 'gzip', 'content-type': 'image/png' })
    await expect(fetcher()('/gzip')).rejects.toMatchObject({ reason: 'unsupported-type' })
    server.serve('/gzip-image', gzipSync(png), { 'content-encoding': 'gzip' })
    await expect(fetcher()('/gzip-image')).rejects.toMatchObject({ reason: 'unsupported-type' })
  })

  it.each([
    ['a script in SVG', 'image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    ['SVG that claims to be a PNG', 'image/png', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['HTML that claims to be a JPEG', 'image/jpeg', '<script>alert(1)</script>'],
    ['nothing', 'image/png', ''],
  ])('%s is rejected', async (_, type, text) => {
    server.serve('/sword.png', Buffer.from(text), { 'content-type': type })
    await expect(fetcher()('/sword.png')).rejects.toMatchObject({ reason: 'unsupported-type' })
  })

  it.each([204, 206, 401, 404, 500])('the body of a response with the status %d is no image', async (status) => {
    server.respond('/status', (_, response) => response.writeHead(status).end(status === 204 ? undefined : png))
    await expect(fetcher()('/status')).rejects.toMatchObject({ reason: 'status' })
  })

  it('http addresses are rejected unless the installation allows them', async () => {
    server.serve('/http', png)
    await expect(fetcher({ allowHttp: false })('/http')).rejects.toMatchObject({ reason: 'address-rejected' })
  })
})
