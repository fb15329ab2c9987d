import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { createClient } from '@redis/client'
import { type RunningServer, startNats, startRedis, urlOfUser } from '@storekeep/local/infra'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

// Servers as `npm start` runs them and, as the negative control, servers that grant all rights to connections without a user.

describe('the rights of each service on NATS', () => {
  let folder: string
  let server: RunningServer
  let unlimited: RunningServer

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'storekeep-rights-'))
    server = await startNats({ dataDir: join(folder, 'nats'), passwordOf: passwordOf })
    unlimited = await startNats({ dataDir: join(folder, 'unlimited') })
    for (const { port } of [server, unlimited]) {
      const connection = await open(port, port === server.port ? 'stores' : undefined)
      const manager = await jetstreamManager(connection, { checkAPI: false })
      await manager.streams.add({ name: 'EVENTS', subjects: ['events.>'] })
      await connection.close()
    }
  })

  afterAll(async () => {
    await Promise.all([server.stop(), unlimited.stop()])
    rmSync(folder, { recursive: true, force: true })
  })

  const foreign: [user: string, what: string, act: (connection: NatsConnection) => Promise<unknown>][] = [
    ['bans', 'publish an event of another service', (nats) => publish(nats, 'events.stores.api_key.revoked')],
    ['bans', 'delete the stream', async (nats) => (await managerOf(nats)).streams.delete('EVENTS')],
    ['bans', 'purge the stream', async (nats) => (await managerOf(nats)).streams.purge('EVENTS')],
    [
      'bans',
      'create another stream',
      async (nats) => (await managerOf(nats)).streams.add({ name: 'OTHER', subjects: ['x'] }),
    ],
    [
      'stores',
      'create a consumer of all events',
      async (nats) => (await managerOf(nats)).consumers.add('EVENTS', { durable_name: 'spy' }),
    ],
    [
      'coupons',
      'use a consumer of another service',
      async (nats) => (await managerOf(nats)).consumers.info('EVENTS', 'search-index'),
    ],
    ['bans', 'read responses to other services', (nats) => subscribe(nats, '_INBOX.stores.>')],
    ['bans', 'read events directly', (nats) => subscribe(nats, 'events.>')],
    ['bans', 'read internal messages of the server', (nats) => subscribe(nats, '$SYS.>')],
  ]

  it.each(foreign)('%s may not %s', async (user, _what, act) => {
    const connection = await open(server.port, user)
    await expect(act(connection)).rejects.toThrow(/permissions violation/i)
    await connection.close()
  })

  it.each(foreign.filter(([, what]) => !/delete|internal|another service$/.test(what)))(
    '%s may %s without limits (negative control)',
    async (_user, _what, act) => {
      const connection = await open(unlimited.port)
      await act(connection)
      await connection.close()
    },
  )

  it('a wrong password, another user and a connection without a user are refused', async () => {
    for (const [user, pass] of [
      ['bans', 'wrong'],
      ['admin', 'x'],
    ] as const) {
      const attempt = connect({ servers: `127.0.0.1:${server.port}`, user, pass, reconnect: false })
      await expect(attempt).rejects.toThrow(/authorization violation/i)
    }
    const anonymous = await open(server.port)
    await expect(publish(anonymous, 'events.bans.ban.created')).rejects.toThrow(/permissions violation/i)
    await anonymous.close()
  })

  it('a service may publish its own events', async () => {
    const connection = await open(server.port, 'bans')
    await expect(publish(connection, 'events.bans.ban.created')).resolves.toBeUndefined()
    await connection.close()
  })
})

describe('the rights of each component on Redis', () => {
  let folder: string
  let server: RunningServer
  let unlimited: RunningServer

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'storekeep-rights-'))
    server = await startRedis({ dir: join(folder, 'redis'), passwordOf: passwordOf })
    unlimited = await startRedis({ dir: join(folder, 'unlimited') })
  })

  afterAll(async () => {
    await Promise.all([server.stop(), unlimited.stop()])
    rmSync(folder, { recursive: true, force: true })
  })

  const foreign = [
    ['gateway', ['SET', 'storekeep:epoch:1', '7']],
    ['gateway', ['EVAL', "return redis.call('SET', KEYS[1], 7)", '1', 'storekeep:epoch:1']],
    ['gateway', ['EVAL', "return redis.call('FLUSHALL')", '0']],
    ['gateway', ['PUBLISH', 'storekeep:api-key-revoked', '1']],
    ['gateway', ['GET', 'other:epoch:1']],
    ['customers', ['GET', 'storekeep:limit:1']],
    ['customers', ['KEYS', '*']],
    ['stores', ['GET', 'storekeep:epoch:1']],
    ['stores', ['PUBLISH', 'storekeep:other', '1']],
    ['stores', ['ACL', 'LIST']],
    ['anonymous', ['GET', 'storekeep:epoch:1']],
    ['anonymous', ['CONFIG', 'GET', '*']],
  ] as const

  it.each(foreign)('%s may not %s', async (user, command) => {
    await expect(
      send(user === 'anonymous' ? server.url : urlOfUser(server.url, user, passwordOf(user)), command),
    ).rejects.toThrow(/NOPERM|ACL failure|permission|user executing the script/i)
  })

  it.each(foreign)('%s may %s without limits (negative control)', async (_user, command) => {
    await send(unlimited.url, command)
  })

  it('a wrong password is refused', async () => {
    await expect(send(urlOfUser(server.url, 'stores', 'wrong'), ['PING'])).rejects.toThrow(/WRONGPASS/)
  })
})

function passwordOf(user: string): string {
  return `password-of-${user}`
}

async function open(port: number, user?: string): Promise<NatsConnection> {
  const credentials = user === undefined ? {} : { user, pass: passwordOf(user), inboxPrefix: `_INBOX.${user}` }
  return await connect({ servers: `127.0.0.1:${port}`, reconnect: false, ...credentials })
}

async function managerOf(connection: NatsConnection) {
  return await jetstreamManager(connection, { checkAPI: false })
}

/** Rejects when the server refuses the message. */
async function publish(connection: NatsConnection, subject: string): Promise<void> {
  const refused = refusal(connection)
  connection.publish(subject)
  await Promise.race([refused, connection.flush().then(() => connection.flush())])
}

async function subscribe(connection: NatsConnection, subject: string): Promise<void> {
  const subscription = connection.subscribe(subject)
  const refused = (async () => {
    for await (const _message of subscription);
  })()
  await Promise.race([refused, connection.flush().then(() => connection.flush())])
  subscription.unsubscribe()
  await refused
}

async function refusal(connection: NatsConnection): Promise<never> {
  for await (const status of connection.status()) if (status.type === 'error') throw status.error
  return await new Promise(() => undefined)
}

async function send(url: string, command: readonly string[]): Promise<void> {
  const client = createClient({ url, socket: { reconnectStrategy: false } })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.sendCommand([...command])
  } finally {
    client.destroy()
  }
}
