import { randomUUID } from 'node:crypto'
import { jetstream } from '@nats-io/jetstream'
import { headers } from '@nats-io/transport-node'
import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { errors } from '../src/errors/index.ts'
import { type ConsumerOptions, onEvent, onEvents, PostponeEvent, replayDeadLetters } from '../src/events/index.ts'
import { ensureStream } from '../src/nats/index.ts'
import type { Database } from '../src/postgres/index.ts'
import {
  changeThings,
  countSeen,
  createSeenTable,
  metricValue,
  notAppliedOnce,
  noteSeen,
  type Parts,
  publishThing,
  type StartedConsumer,
  startConsumer,
  startRelay,
  thingIds,
  waitUntilApplied,
  waitUntilPublished,
  withManager,
} from './events-harness.ts'
import { ThingSchema } from './fixtures/thing-proto.ts'
import { createTestDatabase, type TestDatabase, waitFor } from './harness.ts'

describe('a consumer', () => {
  let test: TestDatabase
  let database: Database
  let parts: Parts
  const consumers: StartedConsumer[] = []

  beforeAll(async () => {
    test = await createTestDatabase()
    database = test.database
    await createSeenTable(database)
    parts = startRelay(test)
  })
  /** Each test has a consumer of its own, which begins with the whole stream; so the stream begins anew too. */
  beforeEach(async () => {
    await database.query(sql`delete from outbox`)
    await withManager(parts.nats, async (manager) => {
      await manager.streams.delete(test.stream).catch(() => false)
      await ensureStream(manager, test.stream, { knownBefore: false })
    })
    await database.query(sql`truncate seen, consumed_event, consumed_version, dead_letter`)
  })
  afterEach(async () => {
    await Promise.all(consumers.splice(0).map((one) => one.stop()))
  })
  afterAll(async () => {
    await withManager(parts.nats, (manager) => manager.streams.delete(test.stream).catch(() => false))
    await parts.stop()
    await test.drop()
  })

  function consume(options: Partial<ConsumerOptions> = {}): StartedConsumer {
    const started = startConsumer(test, parts.nats, options)
    consumers.push(started)
    return started
  }

  async function deadLetters(): Promise<{ message_id: string; deliveries: number; error: string }[]> {
    return database.query(sql`select message_id, deliveries, error from dead_letter where replayed_at is null`)
  }

  /** Puts a message into the stream past the outbox, as a faulty or hostile publisher would. */
  async function inject(attributes: Record<string, string>, payload: Uint8Array): Promise<void> {
    const connection = parts.nats.connection()
    if (!connection) throw new Error('NATS is away')
    const given = headers()
    for (const [name, value] of Object.entries(attributes)) given.set(name, value)
    const subject = `${test.stream.toLowerCase()}.things.thing.changed`
    await jetstream(connection).publish(subject, payload, { headers: given })
  }

  it('gives each event to its handler, decoded and with all that is known about it', async () => {
    const events: unknown[] = []
    consume({
      handlers: [onEvent(ThingSchema, async (_tx, event) => void events.push(event))],
    })
    await database.transaction((tx) => publishThing(tx, { id: 'whole', version: 3, name: 'Ada' }))
    await waitFor(() => events.length > 0, 'the event')
    expect(events).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        subject: `${test.stream.toLowerCase()}.things.thing.changed`,
        type: 'test.Thing',
        aggregate: 'thing',
        aggregateId: 'whole',
        aggregateVersion: '3',
        storeId: '7',
        time: expect.any(Date),
        traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
        message: expect.objectContaining({ id: 'whole', version: 3, name: 'Ada' }),
      },
    ])
  })

  it('applies each event once, with two replicas at work', async () => {
    consume()
    consume()
    for (const version of [1, 2, 3]) await changeThings(database, thingIds(50), version)
    await waitUntilApplied(database)
    expect(await countSeen(database)).toBe(150)
  })

  it('applies an event once when the stream holds it twice; without the note of what was applied, twice', async () => {
    consume()
    // The twin: it throws its notes away.
    consume({
      name: 'test-forgetful',
      handlers: [
        onEvent(ThingSchema, async (tx, event) => {
          await tx.query(sql`delete from consumed_event where consumer = 'test-forgetful'`)
          await noteSeen.handle(tx, { ...event, aggregateVersion: '1001' }, undefined)
        }),
      ],
    })
    await changeThings(database, ['double'], 1)
    await waitFor(async () => (await countSeen(database)) === 2, 'both consumers to apply it')
    // Beyond the 10 minutes in which JetStream recognises a repeat, it takes the event again. So it does for another id.
    const [row] = await database.query<{ event_id: string }>(sql`select event_id from outbox`)
    await inject({ ...attributesOf('double', 1), 'ce-id': row?.event_id ?? '' }, new Uint8Array())
    await changeThings(database, ['last'], 1)
    await waitFor(async () => (await countSeen(database, 'last')) === 2, 'the event behind it')
    const applied = await database.query(sql`
      select count(*)::int as count from seen where aggregate_id = 'double' group by version order by version`)
    // Version 1 is the honest consumer's, version 1001 the forgetful one's.
    expect(applied).toEqual([{ count: 1 }, { count: 2 }])
  })

  it('that wants the newest skips what is older, even after a delete', async () => {
    const consumer = consume({ deliver: 'newest' })
    await database.transaction(async (tx) => {
      await publishThing(tx, { id: 'back', version: 2 })
      await publishThing(tx, { id: 'back', version: 1 })
      await publishThing(tx, { id: 'back', version: 3 })
      await publishThing(tx, { id: 'back', version: 3 })
    })
    await waitFor(
      async () => (await metricValue(consumer.metrics, 'events_consumed_total')) === 4,
      'all four to be looked at',
    )
    const rows = await database.query(sql`select version from seen order by position`)
    expect(rows).toEqual([{ version: '2' }, { version: '3' }])
  })

  it('passes over events of types it does not know', async () => {
    const consumer = consume({ handlers: [] })
    await changeThings(database, ['unknown'], 1)
    await waitFor(
      async () => (await metricValue(consumer.metrics, 'events_consumed_total', { outcome: 'ignored' })) === 1,
      'the event to be passed over',
    )
    expect(await deadLetters()).toEqual([])
  })

  it('keeps nothing of a failed attempt and applies the event at a later one', async () => {
    let attempts = 0
    const flaky = onEvent(ThingSchema, async (tx, event) => {
      await noteSeen.handle(tx, event, undefined)
      attempts += 1
      if (attempts < 4) throw new Error('not yet')
    })
    consume({ handlers: [flaky] })
    await changeThings(database, ['flaky'], 1)
    await waitUntilApplied(database)
    expect([attempts, await deadLetters()]).toEqual([4, []])
  })

  it('prepares outside the transaction, and not again for an event that was applied', async () => {
    const prepared: string[] = []
    const withPrepare = onEvent(
      ThingSchema,
      async (tx, event, name: string) => {
        expect(name).toBe('prepared two')
        await noteSeen.handle(tx, event, undefined)
      },
      async (event) => {
        prepared.push(event.aggregateId)
        if (prepared.length === 1) throw new Error('the other system is away')
        return 'prepared two'
      },
    )
    const consumer = consume({ handlers: [withPrepare] })
    await changeThings(database, ['slow'], 1)
    await waitUntilApplied(database)
    const [row] = await database.query<{ event_id: string }>(sql`select event_id from outbox`)
    await inject({ ...attributesOf('slow', 1), 'ce-id': row?.event_id ?? '' }, new Uint8Array())
    await waitFor(
      async () => (await metricValue(consumer.metrics, 'events_consumed_total', { outcome: 'duplicate' })) === 1,
      'the repeat to be recognised',
    )
    expect(prepared).toEqual(['slow', 'slow'])
  })

  it('does not count against an event what another system is to blame for', async () => {
    let deliveries = 0
    const unlucky = onEvent(ThingSchema, noteSeen.handle, async () => {
      deliveries += 1
      if (deliveries <= 5) throw new PostponeEvent('the other system is away')
      if (deliveries === 6) throw new Error('the one failure of its own')
      return undefined
    })
    const consumer = consume({ handlers: [unlucky], maxAttempts: 2, retryDelayMs: 1 })
    await changeThings(database, ['unlucky'], 1)
    await waitUntilApplied(database)
    expect([deliveries, await deadLetters()]).toEqual([7, []])
    expect(await metricValue(consumer.metrics, 'events_consumed_total', { outcome: 'postponed' })).toBe(5)
  })

  it('gives up an event that was postponed for ever, and nothing else meanwhile', async () => {
    const hopeless = onEvent(ThingSchema, async (tx, event) => {
      if (event.aggregateId === 'hopeless') throw new PostponeEvent('away', { cause: new Error('closed for good') })
      await noteSeen.handle(tx, event, undefined)
    })
    consume({ handlers: [hopeless], retryDelayMs: 0 })
    await changeThings(database, ['hopeless', ...thingIds(20, 'healthy')], 1)
    await waitFor(async () => (await countSeen(database, 'healthy')) === 20, 'the healthy events')
    await waitFor(async () => (await deadLetters()).length === 1, 'a dead letter')
    expect(await deadLetters()).toMatchObject([{ deliveries: 200, error: expect.stringContaining('away') }])
  })

  it('lets poison stop nobody: it ends as one dead letter each, with its cause, and replay brings it back', async () => {
    let mended = false
    const picky = onEvent(ThingSchema, async (tx, event) => {
      if (event.aggregateId === 'poison' && !mended) throw new Error('cannot stand this one')
      await noteSeen.handle(tx, event, undefined)
    })
    consume({ handlers: [picky], maxAttempts: 3 })
    await changeThings(database, ['poison'], 1)
    await inject({ ...attributesOf('bytes', 1), 'ce-id': randomUUID() }, Buffer.from('ffffffff', 'hex'))
    await inject({}, Buffer.from('no headers at all'))
    await changeThings(database, thingIds(20, 'healthy'), 1)
    await waitFor(async () => (await countSeen(database, 'healthy')) === 20, 'the healthy events')
    await waitFor(async () => (await deadLetters()).length === 3, 'three dead letters')

    const letters = await deadLetters()
    expect(letters.find(({ error }) => error.includes('cannot stand this one'))).toMatchObject({ deliveries: 3 })
    expect(letters.filter(({ deliveries }) => deliveries === 1)).toHaveLength(2)
    expect(letters.some(({ error }) => error.includes('ce-type'))).toBe(true)

    mended = true
    expect(await replayDeadLetters(database, parts.nats, { consumer: 'test-seen' })).toBe(3)
    await waitFor(async () => (await countSeen(database, 'poison')) === 1, 'the mended event to be applied')
    await waitFor(async () => (await deadLetters()).length === 2, 'what cannot be read to be dead again')
    await waitUntilApplied(database)
  })

  it('applies many events in one transaction for a handler that takes them so, each aggregate up to its newest', async () => {
    const sizes: number[] = []
    for (const version of [1, 2, 3]) await changeThings(database, thingIds(50), version)
    await waitUntilPublished(database)
    const many = onEvents([ThingSchema], async (tx, events) => {
      sizes.push(events.length)
      for (const event of events) await noteSeen.handle(tx, event, undefined)
    })
    const consumers = [
      consume({ deliver: 'newest', handlers: [many] }),
      consume({ deliver: 'newest', handlers: [many] }),
    ]
    const taken = () =>
      Promise.all(consumers.map(({ metrics }) => metricValue(metrics, 'events_consumed_total'))).then(sum)
    await waitFor(async () => (await taken()) === 150, 'every event to be looked at')
    const rows = await database.query<{ versions: string[] }>(sql`
      select array_agg(version order by position) as versions from seen group by aggregate_id`)
    expect(rows).toHaveLength(50)
    for (const { versions } of rows) {
      expect(versions.at(-1)).toBe('3')
      expect(versions).toEqual([...new Set(versions)].sort())
    }
    expect(Math.max(...sizes)).toBeGreaterThan(1)
  })

  it('lets poison among events that are applied together stop nobody', async () => {
    const picky = onEvents([ThingSchema], async (tx, events) => {
      for (const event of events) await noteSeen.handle(tx, event, undefined)
      if (events.some(({ aggregateId }) => aggregateId === 'poison')) throw new Error('cannot stand this one')
    })
    await inject({ ...attributesOf('bytes', 1), 'ce-id': randomUUID() }, Buffer.from('ffffffff', 'hex'))
    await changeThings(database, [...thingIds(20, 'healthy'), 'poison', ...thingIds(20, 'hale')], 1)
    await waitUntilPublished(database)
    consume({ deliver: 'newest', handlers: [picky], maxAttempts: 3 })
    await waitFor(async () => (await deadLetters()).length === 2, 'two dead letters')
    expect((await deadLetters()).map(({ deliveries }) => deliveries).sort()).toEqual([1, 3])
    await waitFor(async () => (await countSeen(database)) === 40, 'the healthy events')
    expect([await countSeen(database, 'poison'), await countSeen(database, 'bytes')]).toEqual([0, 0])
  })

  it('lets an event whose transaction the database ends hold up no others that are applied with it', async () => {
    const sizes: number[] = []
    const held = onEvents([ThingSchema], async (tx, events) => {
      sizes.push(events.length)
      for (const event of events) await noteSeen.handle(tx, event, undefined)
      const isHeldUp = events.some(({ aggregateId }) => aggregateId === 'held')
      if (isHeldUp) throw errors.unavailable(new Error('another transaction has the row'))
    })
    await changeThings(database, [...thingIds(20, 'healthy'), 'held', ...thingIds(20, 'hale')], 1)
    await waitUntilPublished(database)
    consume({ deliver: 'newest', handlers: [held] })
    await waitFor(async () => (await countSeen(database)) === 40, 'the healthy events')
    expect(Math.max(...sizes)).toBeGreaterThan(1)
    expect([await countSeen(database, 'held'), (await deadLetters()).length]).toEqual([0, 0])
  })

  it('gives up nothing while its own database is away', async () => {
    let away = true
    const cut: Database = {
      ...database,
      ping: async () => {},
      transaction: (work) =>
        database.transaction(async (tx) => {
          const result = await work(tx)
          if (away) await tx.query(sql`select pg_terminate_backend(pg_backend_pid())`)
          return result
        }),
    }
    const consumer = consume({ database: cut, maxAttempts: 2, retryDelayMs: 5 })
    await changeThings(database, ['patient'], 1)
    await waitFor(
      async () => (await metricValue(consumer.metrics, 'events_consumed_total', { outcome: 'retried' })) >= 5,
      'several attempts in vain',
    )
    expect([await deadLetters(), await countSeen(database)]).toEqual([[], 0])
    away = false
    await waitUntilApplied(database)
  })

  it('applies each event once when consumer and stream are deleted under it', async () => {
    consume()
    await changeThings(database, thingIds(30, 'before'), 1)
    await waitUntilApplied(database)
    await withManager(parts.nats, (manager) => manager.consumers.delete(test.stream, 'test-seen'))
    await changeThings(database, thingIds(30, 'between'), 1)
    await waitUntilApplied(database)
    await withManager(parts.nats, (manager) => manager.streams.delete(test.stream))
    await changeThings(database, thingIds(30, 'after'), 1)
    await waitUntilApplied(database)
    expect([await countSeen(database), await notAppliedOnce(database)]).toEqual([90, 0])
  })
})

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function attributesOf(aggregateId: string, version: number): Record<string, string> {
  return {
    'ce-type': 'test.Thing',
    'ce-subject': aggregateId,
    'ce-aggregate': 'thing',
    'ce-aggregateversion': String(version),
    'ce-time': new Date().toISOString(),
  }
}
