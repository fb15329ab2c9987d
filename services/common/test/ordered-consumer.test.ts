import { jetstream } from '@nats-io/jetstream'
import { headers } from '@nats-io/transport-node'
import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { errors } from '../src/errors/index.ts'
import {
  type Consumer,
  createConsumer,
  type EventEnvelope,
  type OrderedConsumerParts,
  replayDeadLetters,
} from '../src/events/index.ts'
import { createNats, ensureStream, type Nats } from '../src/nats/index.ts'
import type { Database, Transaction } from '../src/postgres/index.ts'
import { createMetrics, type Metrics } from '../src/telemetry/index.ts'
import { requireEnv } from '../testing/require-env.ts'
import { startTcpProxy, type TcpProxy } from '../testing/tcp-proxy.ts'
import {
  changeThings,
  metricValue,
  type Parts,
  startRelay,
  thingIds,
  waitUntilPublished,
  withManager,
} from './events-harness.ts'
import { ThingSchema } from './fixtures/thing-proto.ts'
import { createTestDatabase, silentLog, type TestDatabase, waitFor } from './harness.ts'

describe('an ordered consumer', () => {
  let test: TestDatabase
  let database: Database
  let parts: Parts
  const consumers: Started[] = []
  const opened: { close(): Promise<void> }[] = []

  beforeAll(async () => {
    test = await createTestDatabase()
    database = test.database
    await database.query(sql`
      create table seen (
        position bigint generated always as identity, event_id uuid unique, aggregate_id text, version bigint, reader text
      )`)
    parts = startRelay(test)
  })
  beforeEach(async () => {
    await database.query(sql`delete from outbox`)
    await database.query(sql`truncate seen, stream_position, dead_letter`)
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
      await database.query(sql`
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
      database,
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
    return database.query(sql`select version, reader from seen order by position`)
  }

  async function waitForSeen(count: number): Promise<void> {
    await waitFor(async () => (await seen()).length >= count, `${count} events to be applied`)
    expect(await seen()).toHaveLength(count)
  }

  /** How many events were applied after a later one of their aggregate. */
  async function outOfOrder(): Promise<number> {
    const [row] = await database.query<{ count: number }>(sql`
      select count(*)::int as count from (
        select version, max(version) over (partition by aggregate_id order by position) as highest from seen
      ) as one where version < highest`)
    return row?.count ?? -1
  }

  const isRead = async () =>
    (await database.query(sql`select from stream_position where held_until > now()`)).length > 0

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

  it('applies every event in order while replicas take over from each other', async () => {
    for (let version = 1; version <= 6; version += 1) {
      consume({ reader: `replica ${version}` })
      await waitFor(isRead, 'a replica to read')
      await changeThings(database, thingIds(10), version)
      if (version === 1) await waitForSeen(10)
      else await consumers.shift()?.stop()
    }
    await waitForSeen(60)
    expect(await outOfOrder()).toBe(0)
    // The first consumer has read; the others may have.
    expect(new Set((await seen()).map(({ reader }) => reader)).size).toBeGreaterThan(1)
  })

  it.each([
    ['writes nothing for a reader that was replaced while it was frozen', true],
    ['applies events out of order with an effect outside of its transaction (negative control)', false],
  ])('%s', async (_, isProtected) => {
    const frozen = Promise.withResolvers<void>()
    const isFrozen = Promise.withResolvers<void>()
    consume({
      async choose() {
        isFrozen.resolve()
        await frozen.promise
        if (!isProtected) await database.query(sql`insert into seen (aggregate_id, version) values ('one', 1)`)
        return () => true
      },
      apply: (tx, events) => recordEach(tx, events, 'frozen'),
    })
    await changeThings(database, ['one'], 1)
    await isFrozen.promise
    await database.query(sql`update stream_position set held_until = '-infinity'`)
    consume({ reader: 'other' })
    await waitForSeen(1)
    await changeThings(database, ['one'], 2)
    await waitForSeen(2)
    frozen.resolve()
    await consumers.shift()?.stop()
    expect(await outOfOrder()).toBe(isProtected ? 0 : 1)
  })

  it('applies all events, in order, after connections that broke while messages were on their way', async () => {
    const { nats, proxy } = await connectThroughProxy()
    consume({ nats })
    for (let version = 1; version <= 5; version += 1) {
      const writing = changeThings(database, thingIds(10), version)
      proxy.cut()
      await writing
      proxy.pass()
    }
    await waitForSeen(50)
    expect(await outOfOrder()).toBe(0)
  })

  it('reads a stream that was created again from its start, and applies repeated events without an effect', async () => {
    consume()
    await changeThings(database, thingIds(5), 1)
    await waitForSeen(5)
    await waitUntilPublished(database)
    await replaceStream()
    // The relay publishes the lost events again.
    await changeThings(database, thingIds(5), 2)
    await waitForSeen(10)
    expect(await outOfOrder()).toBe(0)
  })

  it('reads from the start when the message at its position is another one, since the server lost its tail', async () => {
    await changeThings(database, thingIds(5), 1)
    await waitUntilPublished(database)
    const first = consume()
    await waitForSeen(5)
    await consumers.shift()?.stop()
    expect(await metricValue(first.metrics, 'events_consumed_total')).toBe(5)
    // As if the five messages at these sequences were replaced by others.
    await database.query(sql`update stream_position set event_id = gen_random_uuid()::text`)
    await database.query(sql`truncate seen`)
    consume()
    await waitFor(async () => (await seen()).length >= 5, 'the events to be applied again')
  })

  it('retries in place while the database is unavailable, so that later events wait', async () => {
    let failures = 5
    consume({
      async apply(tx, events) {
        failures -= 1
        if (failures >= 0) throw errors.unavailable(new Error('Postgres is unavailable'))
        await recordEach(tx, events, 'one')
      },
    })
    for (const version of [1, 2, 3]) await changeThings(database, thingIds(3), version)
    await waitForSeen(9)
    expect(failures).toBeLessThan(0)
    expect(await outOfOrder()).toBe(0)
  })

  it('halves a batch that cannot be applied within the statement timeout, and applies all of it in order', async () => {
    await changeThings(database, thingIds(20), 1)
    await changeThings(database, thingIds(20), 2)
    await waitUntilPublished(database)
    const sizes: number[] = []
    consume({
      async apply(tx, events) {
        sizes.push(events.length)
        if (events.length > 4) throw errors.unavailable(new Error('canceling statement due to statement timeout'))
        await recordEach(tx, events, 'one')
      },
    })
    await waitForSeen(40)
    expect(Math.max(...sizes)).toBeGreaterThan(4)
    expect(await outOfOrder()).toBe(0)
    expect(await database.query(sql`select from dead_letter`)).toEqual([])
  })

  it('exports its lag from every replica', async () => {
    const frozen = Promise.withResolvers<void>()
    const isFrozen = Promise.withResolvers<void>()
    const choose: OrderedConsumerParts['choose'] = async () => {
      isFrozen.resolve()
      await frozen.promise
      return () => true
    }
    const replicas = [consume({ choose, reader: 'one' }), consume({ choose, reader: 'two' })]
    await changeThings(database, thingIds(3), 1)
    await isFrozen.promise
    const lags = () => Promise.all(replicas.map(({ metrics }) => metricValue(metrics, 'consumer_lag_events')))
    await waitFor(async () => (await lags()).every((lag) => lag === 3), 'both replicas to export the lag', 60_000)
    frozen.resolve()
    await waitForSeen(3)
    await waitFor(async () => (await lags()).every((lag) => lag === 0), 'both replicas to export no lag', 60_000)
  })

  it('moves malformed and repeatedly failing events to the dead letters, continues, and replays them', async () => {
    let isFixed = false
    const consumer = consume({
      maxAttempts: 2,
      async apply(tx, events) {
        if (!isFixed && events.some(({ aggregateId }) => aggregateId === 'poison')) throw new Error('poison')
        await recordEach(tx, events, 'one')
      },
    })
    await inject({ 'ce-id': 'x', 'ce-type': 'storekeep.things.v1.Thing' }, new Uint8Array())
    await changeThings(database, ['good', 'poison', 'better'], 1)
    await waitForSeen(2)
    await waitFor(
      async () => (await metricValue(consumer.metrics, 'events_consumed_total', { outcome: 'dead_letter' })) === 2,
      'two dead letters',
    )
    const letters = await database.query<{ error: string }>(sql`select error from dead_letter order by id`)
    expect(letters.map(({ error }) => error).join()).toMatch(/header ce-id is missing.*poison/s)
    isFixed = true
    expect(await replayDeadLetters(database, [consumer.consumer])).toEqual({ applied: 1, failed: 1 })
    expect(await seen()).toHaveLength(3)
  })

  it('makes dead letters of the events of another cell', async () => {
    const consumer = consume({ cell: 1 })
    await changeThings(database, ['foreign'], 1)
    await waitFor(
      async () => (await metricValue(consumer.metrics, 'events_consumed_total', { outcome: 'dead_letter' })) === 1,
      'the dead letter',
    )
    expect(await seen()).toEqual([])
  })

  it('writes nothing for events that are not chosen, and continues behind them after a restart', async () => {
    const asked: (string | undefined)[] = []
    const choose: OrderedConsumerParts['choose'] = async (events) => {
      asked.push(...events.map(({ storeId }) => storeId))
      return () => false
    }
    const consumer = consume({ choose })
    await inject({ 'ce-id': 'x', 'ce-type': `${ThingSchema.typeName}Renamed` }, new Uint8Array())
    await changeThings(database, thingIds(10), 1)
    await waitFor(
      async () => (await metricValue(consumer.metrics, 'events_consumed_total', { outcome: 'ignored' })) === 11,
      'all to be ignored',
    )
    await consumers.shift()?.stop()
    expect(asked).toEqual(Array(10).fill('7'))
    consume()
    await changeThings(database, ['last'], 1)
    await waitForSeen(1)
  })
})

async function recordEach(tx: Transaction, events: readonly EventEnvelope[], reader: string): Promise<void> {
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
