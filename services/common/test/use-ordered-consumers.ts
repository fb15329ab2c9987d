import { jetstream } from '@nats-io/jetstream'
import { headers } from '@nats-io/transport-node'
import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { type Consumer, createConsumer, type EventEnvelope, type OrderedConsumerParts } from '../src/events/index.ts'
import { createNats, ensureStream, type Nats } from '../src/nats/index.ts'
import type { Database, Transaction } from '../src/postgres/index.ts'
import { createMetrics, type Metrics } from '../src/telemetry/index.ts'
import { requireEnv } from '../testing/require-env.ts'
import { startTcpProxy, type TcpProxy } from '../testing/tcp-proxy.ts'
import { type Parts, startRelay, withManager } from './events-harness.ts'
import { ThingSchema } from './fixtures/thing-proto.ts'
import { createTestDatabase, silentLog, type TestDatabase, waitFor } from './harness.ts'

/** A database with a relay. Its consumers stop after each test. */
export function useOrderedConsumers() {
  let test: TestDatabase
  let parts: Parts
  const consumers: Started[] = []
  const opened: { close(): Promise<void> }[] = []

  beforeAll(async () => {
    test = await createTestDatabase()
    await test.database.query(sql`
      create table seen (
        position bigint generated always as identity, event_id uuid unique, aggregate_id text, version bigint, reader text
      )`)
    parts = startRelay(test)
  })
  beforeEach(async () => {
    await test.database.query(sql`delete from outbox`)
    await test.database.query(sql`truncate seen, stream_position, dead_letter`)
    await skipEarlierEvents()
  })
  afterEach(async () => {
    await Promise.all(consumers.splice(0).map((one) => one.stop()))
    await Promise.all(opened.splice(0).map((one) => one.close()))
  })
  afterAll(async () => {
    await withManager(parts.nats, (manager) => manager.streams.delete(test.stream).catch(() => false))
    await parts.stop()
    await test.drop()
  })

  /** Replacing the stream instead would take two seconds. */
  async function skipEarlierEvents(): Promise<void> {
    await withManager(parts.nats, async (manager) => {
      const { created, lastSequence } = await ensureStream(manager, test.stream, { knownBefore: false })
      const last = lastSequence > 0 ? await manager.streams.getMessage(test.stream, { seq: lastSequence }) : undefined
      await test.database.query(sql`
        insert into stream_position (consumer, stream_created, sequence, event_id)
        values ('test-ordered', ${created}, ${lastSequence}, ${last?.header.get('ce-id') || null})`)
    })
  }

  async function replaceStream(): Promise<void> {
    await withManager(parts.nats, async (manager) => {
      await manager.streams.delete(test.stream).catch(() => false)
      await ensureStream(manager, test.stream, { knownBefore: true })
    })
  }

  function consume({ reader = 'one', nats = parts.nats, ...given }: Given = {}): Started {
    const metrics = createMetrics({ service: 'test' })
    const consumer = createConsumer({
      database: test.database,
      nats,
      stream: test.stream,
      name: 'test-ordered',
      filterSubject: 'things.>',
      deliver: 'in-order',
      schemas: [ThingSchema],
      choose: async () => () => true,
      apply: (tx, events) => recordEach(tx, events, reader),
      log: silentLog,
      metrics,
      retryDelayMs: 20,
      ...given,
    })
    consumer.start()
    const started = { consumer, stop: () => consumer.stop(), metrics }
    consumers.push(started)
    return started
  }

  async function connectThroughProxy(): Promise<{ nats: Nats; proxy: TcpProxy }> {
    const proxy = await startTcpProxy(requireEnv('TEST_NATS_URL'))
    const nats = createNats({ url: proxy.url, name: 'test', log: silentLog })
    opened.push(nats, proxy)
    return { nats, proxy }
  }

  /** What was applied, in this order. */
  async function seen(): Promise<{ version: string; reader: string }[]> {
    return test.database.query(sql`select version, reader from seen order by position`)
  }

  async function waitForSeen(count: number): Promise<void> {
    await waitFor(async () => (await seen()).length >= count, `${count} events to be applied`)
    expect(await seen()).toHaveLength(count)
  }

  /** How many events were applied after a later one of their aggregate. */
  async function outOfOrder(): Promise<number> {
    const [row] = await test.database.query<{ count: number }>(sql`
      select count(*)::int as count from (
        select version, max(version) over (partition by aggregate_id order by position) as highest from seen
      ) as one where version < highest`)
    return row?.count ?? -1
  }

  const isRead = async () =>
    (await test.database.query(sql`select from stream_position where held_until > now()`)).length > 0

  /** Publishes a message without the outbox, as a faulty publisher would. */
  async function inject(attributes: Record<string, string>, payload: Uint8Array): Promise<void> {
    const connection = parts.nats.connection()
    if (!connection) throw new Error('NATS is unavailable')
    const given = headers()
    for (const [name, value] of Object.entries(attributes)) given.set(name, value)
    await jetstream(connection).publish(`${test.stream.toLowerCase()}.things.thing.changed`, payload, {
      headers: given,
    })
  }

  return {
    get test() {
      return test
    },
    get database(): Database {
      return test.database
    },
    get parts() {
      return parts
    },
    consumers,
    opened,
    replaceStream,
    consume,
    connectThroughProxy,
    seen,
    waitForSeen,
    outOfOrder,
    isRead,
    inject,
  }
}

export async function recordEach(tx: Transaction, events: readonly EventEnvelope[], reader: string): Promise<void> {
  for (const { id, aggregateId, aggregateVersion } of events) {
    await tx.query(sql`
      insert into seen (event_id, aggregate_id, version, reader)
      values (${id}, ${aggregateId}, ${aggregateVersion}, ${reader}) on conflict do nothing`)
  }
}

type Given = Partial<OrderedConsumerParts> & { cell?: number; maxAttempts?: number; reader?: string; nats?: Nats }

interface Started {
  consumer: Consumer
  metrics: Metrics
  stop(): Promise<void>
}
