import { type AddressInfo, createServer, type Socket } from 'node:net'
import pg from 'pg'
import { expect, it, onTestFinished, vi } from 'vitest'
import { isOutage, isPoolExhausted, isTimeout } from '../src/postgres/postgres-errors.ts'
import { requireEnv } from '../testing/require-env.ts'

const serverUrl = requireEnv('TEST_DATABASE_ADMIN_URL')
const sleep = 'select pg_sleep(600)'

it.each<[string, () => Promise<unknown>]>([
  [
    'a server that accepts a connection and does not respond',
    async () => {
      const client = new pg.Client({ connectionString: await serve(() => {}), connectionTimeoutMillis: 100 })
      await client.connect()
    },
  ],
  [
    'such a server, with a pool',
    async () => await pool({ connectionString: await serve(() => {}), connectionTimeoutMillis: 100 }).connect(),
  ],
  [
    'a server that closes the connection',
    async () => {
      const client = new pg.Client({ connectionString: await serve((socket) => socket.on('data', () => socket.end())) })
      await client.connect()
    },
  ],
  [
    'a statement whose connection is closed by this process',
    async () => {
      const client = await connect()
      const running = client.query(sleep)
      await Promise.all([running, client.end()])
    },
  ],
  [
    'a statement on a closed connection',
    async () => {
      const client = await connect()
      await client.end()
      await client.query('select 1')
    },
  ],
  [
    'a statement on a lost connection',
    async () => {
      const client = await connect()
      const lost = new Promise((resolve) => client.once('error', resolve))
      await client.query('select pg_terminate_backend(pg_backend_pid())').catch(() => {})
      await lost
      await client.query('select 1')
    },
  ],
  [
    'a closed pool',
    async () => {
      const closed = new pg.Pool({ connectionString: serverUrl })
      await closed.end()
      await closed.connect()
    },
  ],
])('is an outage: %s', async (_name, run) => {
  const error = await run().catch((caught: unknown) => caught)
  expect(isOutage(error), String(error)).toBe(true)
  expect(isTimeout(error)).toBe(false)
  expect(isPoolExhausted(error)).toBe(false)
})

it('a statement without a response is an outage and a timeout', async () => {
  const client = await connect({ query_timeout: 100 })
  const error = await client.query(sleep).catch((caught: unknown) => caught)
  expect([isOutage(error), isTimeout(error), isPoolExhausted(error)]).toEqual([true, true, false])
})

it('a pool whose connections are all in use is an outage and exhausted', async () => {
  const small = pool({ connectionString: serverUrl, max: 1, connectionTimeoutMillis: 200 })
  // On a busy machine, the first connection may take longer than that.
  const used = await vi.waitFor(() => small.connect(), 60_000)
  onTestFinished(() => used.release())
  const error = await small.connect().catch((caught: unknown) => caught)
  expect([isOutage(error), isTimeout(error), isPoolExhausted(error)]).toEqual([true, false, true])
})

it('a mistake is no outage', async () => {
  const client = await connect()
  for (const mistake of [() => client.query('select nothing'), () => client.connect()]) {
    const error = await mistake().catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(Error)
    expect([isOutage(error), isTimeout(error), isPoolExhausted(error)]).toEqual([false, false, false])
  }
})

async function connect(config: pg.ClientConfig = {}): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: serverUrl, ...config })
  client.on('error', () => {})
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

function pool(config: pg.PoolConfig): pg.Pool {
  const created = new pg.Pool(config)
  onTestFinished(() => created.end())
  return created
}

/** Starts a server that is no Postgres, and returns its URL. */
async function serve(handle: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}))
    handle(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  return `postgres://role@127.0.0.1:${(server.address() as AddressInfo).port}/none`
}
