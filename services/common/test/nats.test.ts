import { type AddressInfo, createServer, type Socket } from 'node:net'
import { jetstreamManager } from '@nats-io/jetstream'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createLogger } from '../src/log/index.ts'
import { createNats, ensureStream } from '../src/nats/index.ts'
import { requireEnv } from '../testing/require-env.ts'
import { startTcpProxy, type TcpProxy } from '../testing/tcp-proxy.ts'
import {
  changeThings,
  createSeenTable,
  startConsumer,
  startRelay,
  thingIds,
  waitUntilApplied,
  waitUntilPublished,
  withManager,
} from './events-harness.ts'
import { createTestDatabase, silentLog, type TestDatabase, waitFor } from './harness.ts'

describe('NATS', () => {
  let test: TestDatabase
  let proxy: TcpProxy

  beforeAll(async () => {
    test = await createTestDatabase()
    await createSeenTable(test.database)
    proxy = await startTcpProxy(requireEnv('TEST_NATS_URL'))
  })
  afterAll(async () => {
    const nats = createNats({ url: requireEnv('TEST_NATS_URL'), name: 'test', log: silentLog })
    await withManager(nats, (manager) => manager.streams.delete(test.stream).catch(() => false))
    await nats.close()
    await proxy.close()
    await test.drop()
  })

  it('is not needed for starting, writing and stopping', async () => {
    const parts = startRelay(test, 'nats://127.0.0.1:1')
    const consumer = startConsumer(test, parts.nats)
    await changeThings(test.database, ['early'], 1)
    expect(parts.nats.connection()).toBeUndefined()
    await consumer.stop()
    await parts.stop()
    expect(await test.database.query(sql`select from outbox where published_at is null`)).toHaveLength(1)
  })

  it('receives every event after an outage and after being unresponsive', async () => {
    const parts = startRelay(test, proxy.url)
    const consumer = startConsumer(test, parts.nats)
    await waitUntilApplied(test.database)

    proxy.cut()
    await waitFor(() => parts.nats.connection() === undefined, 'the lost connection to be detected')
    await changeThings(test.database, thingIds(50, 'cut'), 1)
    proxy.pass()
    await waitUntilApplied(test.database)

    proxy.stall()
    await changeThings(test.database, thingIds(50, 'stalled'), 1)
    await waitFor(() => parts.nats.connection() === undefined, 'the unresponsive server to be detected', 60_000)
    proxy.pass()
    await waitUntilPublished(test.database)
    await waitUntilApplied(test.database, 60_000)
    expect(parts.nats.generation()).toBeGreaterThan(2)
    await consumer.stop()
    await parts.stop()
  })

  it('closes a connection that is still being opened', async () => {
    proxy.stall()
    const nats = createNats({ url: proxy.url, name: 'test', log: silentLog })
    await waitFor(() => proxy.connections() === 1, 'the connection to be opened')
    await nats.close()
    proxy.pass()
    await waitFor(() => proxy.connections() === 0, 'the connection to be closed')
  })

  it('logs rejected credentials again after a connection', async () => {
    const server = await startFakeNats()
    const lines: string[] = []
    const log = createLogger({ service: 'test', destination: { write: (line) => void lines.push(line) } })
    const failures = () => lines.filter((line) => line.includes('connection failed'))
    const nats = createNats({ url: server.url, name: 'test', log })
    await waitFor(() => failures().length === 1, 'the failure to be logged')
    server.accept(true)
    await waitFor(() => nats.connection(), 'the connection')
    server.accept(false)
    await waitFor(() => failures().length === 2, 'the second failure to be logged')
    for (const line of failures()) expect(line).toMatch(/authorization violation/i)
    await nats.close()
  })

  it('has one stream when several processes create it concurrently, and keeps changes of an operator', async () => {
    const nats = createNats({ url: proxy.url, name: 'test', log: silentLog })
    await withManager(nats, async (manager) => {
      await manager.streams.delete(test.stream).catch(() => false)
      const states = await Promise.all(
        [1, 2, 3, 4].map(() => ensureStream(manager, test.stream, { knownBefore: false })),
      )
      expect(new Set(states.map(({ created }) => created)).size).toBe(1)
      await manager.streams.update(test.stream, { max_bytes: 1_000_000 })
      await ensureStream(manager, test.stream, { knownBefore: false })
      const { config } = await manager.streams.info(test.stream)
      expect(config).toMatchObject({ max_bytes: 1_000_000, discard: 'new', storage: 'file', retention: 'limits' })
    })
    const connection = nats.connection()
    expect(connection && (await jetstreamManager(connection))).toBeDefined()
    await nats.close()
    expect(nats.connection()).toBeUndefined()
  })
})

/** A server that rejects the credentials of every client until it accepts them. */
async function startFakeNats(): Promise<{ url: string; accept(all: boolean): void }> {
  const sockets = new Set<Socket>()
  let accepts = false
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    socket.write(`INFO ${JSON.stringify({ server_id: 'fake', version: '2.12.0', proto: 1, max_payload: 1024 })}\r\n`)
    socket.on('data', (bytes) => {
      if (!bytes.toString().includes('PING')) return
      if (accepts) socket.write('PONG\r\n')
      else socket.end("-ERR 'Authorization Violation'\r\n")
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const disconnect = () => {
    for (const socket of sockets) socket.destroy()
  }
  onTestFinished(async () => {
    disconnect()
    await new Promise((resolve) => server.close(resolve))
  })
  return {
    url: `nats://127.0.0.1:${(server.address() as AddressInfo).port}`,
    accept(all) {
      accepts = all
      disconnect()
    },
  }
}
