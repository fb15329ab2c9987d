import { createServer, type Server } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { freePort } from '../infra/index.ts'
import { checkNats, checkPostgres, checkRedis } from './reachable.ts'

describe('reachability of given servers', () => {
  let server: Server | undefined

  afterEach(() => server?.close())

  it.each([
    ['DATABASE_URL', checkPostgres, 'postgres://user:secret@127.0.0.1'],
    ['NATS_URL', checkNats, 'nats://user:secret@127.0.0.1'],
    ['REDIS_URL', checkRedis, 'redis://:secret@127.0.0.1'],
  ])('names %s in one line, without its password, when nobody listens', async (setting, check, url) => {
    const port = await freePort()
    const message = await check(setting, `${url}:${port}`).then(
      () => '',
      (cause: Error) => cause.message,
    )
    expect(message).toMatch(
      new RegExp(`^${setting}: no usable [^\n]* at 127.0.0.1:${port} \\(connect ECONNREFUSED[^\n]*\\)\\.$`),
    )
    expect(message).not.toContain('secret')
  })

  it('says so when Redis refuses the password', async () => {
    const port = await listen((request) => (request.includes('AUTH') ? '-WRONGPASS invalid pair\r\n' : '+PONG\r\n'))
    await expect(checkRedis('REDIS_URL', `redis://:x@127.0.0.1:${port}`)).rejects.toThrow(
      'it answers "WRONGPASS invalid pair"',
    )
    await expect(checkRedis('REDIS_URL', `redis://127.0.0.1:${port}`)).resolves.toBeUndefined()
  })

  it('says so when NATS has no JetStream', async () => {
    const port = await listen(undefined, 'INFO {"server_name":"n","jetstream":false} \r\n')
    await expect(checkNats('NATS_URL', `nats://127.0.0.1:${port}`)).rejects.toThrow('JetStream is not switched on')
  })

  async function listen(answer?: (request: string) => string, greeting = ''): Promise<number> {
    const port = await freePort()
    server = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.on('data', (chunk) => socket.write(answer?.(chunk.toString()) ?? ''))
      if (greeting !== '') socket.write(greeting)
    })
    await new Promise<void>((resolve) => server?.listen(port, '127.0.0.1', resolve))
    return port
  }
})
