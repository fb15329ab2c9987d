import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { createClient } from '@redis/client'
import { type RunningServer, startNats, startRedis, urlOfUser } from '@storekeep/local/infra'
import { services } from '@storekeep/local/services'
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

  it('a wrong password, another user and a connection without a user are rejected', async () => {
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

  it.each(services.map(({ name }) => name))('%s publishes its own events only', async (name) => {
    expect(await publishableBy(server.port, name)).toEqual([name])
  })

  it('a connection without limits publishes the events of every service (negative control)', async () => {
    expect(await publishableBy(unlimited.port)).toEqual(services.map(({ name }) => name))
  })

  it.each([
    ...['events.orders.order.charged_back', 'events.bans.ban.created'].map((subject) => [subject, 1] as const),
    // Without an overlap with the stream, the server accepts the consumer (negative control).
    ['_INBOX.search.events', 0] as const,
  ])('the server does not send the events of a consumer to the subject %s of the stream', async (subject, rejected) => {
    const connection = await open(server.port, 'search')
    const { consumers } = await managerOf(connection)
    const added = await consumers
      .add('EVENTS', { durable_name: 'search-index', filter_subject: 'events.>', deliver_subject: subject })
      .then(() => 0)
      .catch((error: Error) => (/forms a cycle/.test(error.message) ? 1 : error))
    expect(added).toBe(rejected)
    await consumers.delete('EVENTS', 'search-index').catch(() => undefined)
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

  it('a wrong password is rejected', async () => {
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

/** The services whose events the user may publish. */
async function publishableBy(port: number, user?: string): Promise<string[]> {
  const connection = await open(port, user)
  const names: string[] = []
  for (const { name } of services) {
    const isPublished = await publish(connection, `events.${name}.thing.changed`).then(
      () => true,
      (error: Error) => {
        if (!/permissions violation/i.test(error.message)) throw error
        return false
      },
    )
    if (isPublished) names.push(name)
  }
  await connection.close()
  return names
}

/** Rejects when the server rejects the message. */
async function publish(connection: NatsConnection, subject: string): Promise<void> {
  const rejected = rejection(connection)
  connection.publish(subject)
  await Promise.race([rejected, connection.flush().then(() => connection.flush())])
}

async function subscribe(connection: NatsConnection, subject: string): Promise<void> {
  const subscription = connection.subscribe(subject)
  const rejected = (async () => {
    for await (const _message of subscription);
  })()
  await Promise.race([rejected, connection.flush().then(() => connection.flush())])
  subscription.unsubscribe()
  await rejected
}

async function rejection(connection: NatsConnection): Promise<never> {
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
