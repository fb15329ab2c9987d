import dns from 'node:dns'
import { createServer, isIP, type Server } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { freePort } from '../infra/index.ts'
import { checkNats, checkPostgres, checkRedis } from './reachable.ts'

const nats = 'INFO {"server_name":"n","jetstream":true} \r\n'

describe('the checks of external servers', () => {
  const servers: Server[] = []

  afterEach(() => {
    vi.restoreAllMocks()
    for (const server of servers.splice(0)) server.close()
  })

  it.each([
    ['DATABASE_URL', checkPostgres, (host: string) => `postgres://user:secret@${host}/storekeep`],
    ['NATS_URL', checkNats, (host: string) => `nats://user:secret@${host}`],
    ['REDIS_URL', checkRedis, (host: string) => `redis://:secret@${host}`],
  ])('report an unreachable %s in one line without its password', async (setting, check, urlOf) => {
    // A host with several addresses fails with an error for each.
    vi.spyOn(dns, 'lookup').mockImplementation((...given: unknown[]) => {
      const callback = given.at(-1)
      const addresses = ['127.0.0.1', '::1'].map((address) => ({ address, family: isIP(address) }))
      if (typeof callback === 'function') callback(null, addresses)
    })
    for (const host of ['127.0.0.1', 'localhost']) {
      const port = await freePort()
      const message = await check(setting, urlOf(`${host}:${port}`)).then(
        () => '',
        (cause: Error) => cause.message,
      )
      expect(message).toMatch(
        new RegExp(`^${setting}: cannot use the [^\n]* at ${host}:${port} \\(connect ECONNREFUSED[^\n]*\\)\\.$`),
      )
      expect(message).not.toContain('secret')
    }
  })

  it('report a wrong Redis password', async () => {
    const port = await listen((request) => (request.includes('AUTH') ? '-WRONGPASS invalid pair\r\n' : '+PONG\r\n'))
    await expect(checkRedis('REDIS_URL', `redis://:x@127.0.0.1:${port}`)).rejects.toThrow(
      'it returned "WRONGPASS invalid pair"',
    )
    await expect(checkRedis('REDIS_URL', `redis://127.0.0.1:${port}`)).resolves.toBeUndefined()
  })

  it('report a NATS server without JetStream', async () => {
    const port = await listen(undefined, 'INFO {"server_name":"n","jetstream":false} \r\n')
    await expect(checkNats('NATS_URL', `nats://127.0.0.1:${port}`)).rejects.toThrow('JetStream is disabled')
  })

  it('pass if one of several hosts responds', async () => {
    const hosts = `127.0.0.1:${await freePort()},127.0.0.1:${await listen(() => '+PONG\r\n', nats)}`
    await checkNats('NATS_URL', `nats://user:secret@${hosts}`)
    await checkRedis('REDIS_URL', `redis+cluster://:secret@${hosts}`)
  })

  it.each([
    ['NATS_URL', checkNats, 'nats', nats.replace('true', 'false'), nats],
    ['REDIS_URL', checkRedis, 'redis+cluster', '-LOADING\r\n', '+PONG\r\n'],
  ])('pass if one host of %s is usable, although another responds first', async (setting, check, scheme, bad, good) => {
    const first = await listen(undefined, bad)
    const responded = new Promise((resolve) =>
      servers[0]?.once('connection', (socket) => socket.once('close', resolve)),
    )
    const second = await listen(
      undefined,
      responded.then(() => good),
    )
    await check(setting, `${scheme}://127.0.0.1:${first},127.0.0.1:${second}`)
  })

  it('send a sentinel its own credentials, not the credentials of the servers', async () => {
    const requests: string[] = []
    const port = await listen((request) => {
      requests.push(request)
      return '+PONG\r\n'
    })
    const parameters = 'master=main&sentinel-user=reader&sentinel-password=open'
    await checkRedis('REDIS_URL', `redis+sentinel://user:secret@127.0.0.1:${port}/0?${parameters}`)
    expect(requests.join('')).toMatch(/AUTH\r\n\$6\r\nreader\r\n\$4\r\nopen\r\n/)
    expect(requests.join('')).not.toContain('secret')
  })

  async function listen(
    respond?: (request: string) => string,
    greeting: string | Promise<string> = '',
  ): Promise<number> {
    const port = await freePort()
    const server = createServer(async (socket) => {
      socket.on('error', () => undefined)
      socket.on('data', (chunk) => socket.write(respond?.(chunk.toString()) ?? ''))
      socket.write(await greeting)
    })
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    return port
  }
})
