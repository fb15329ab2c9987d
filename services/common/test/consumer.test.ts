import { randomUUID } from 'node:crypto'
import { jetstream } from '@nats-io/jetstream'
import { headers } from '@nats-io/transport-node'
import sql, { type Sql } from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { errors } from '../src/errors/index.ts'
import { pruneDeadLetters } from '../src/events/dead-letters.ts'
import {
  type ConsumerOptions,
  onEvent,
  onEvents,
  PostponeEvent,
  replayDeadLetters,
  type SharedConsumerParts,
} from '../src/events/index.ts'
import { ensureStream } from '../src/nats/index.ts'
import type { Database } from '../src/postgres/index.ts'
import {
  changeThings,
  countSeen,
  createSeenTable,
  metricValue,
  notAppliedOnce,
  type Parts,
  publishThing,
  recordSeen,
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
  /** Every consumer reads the stream from its start, so each test gets an empty stream. */
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

  function consume(options: Partial<ConsumerOptions<SharedConsumerParts>> = {}): StartedConsumer {
    const started = startConsumer(test, parts.nats, options)
    consumers.push(started)
    return started
  }

  async function deadLetters(): Promise<{ message_id: string; deliveries: number; error: string }[]> {
    return database.query(sql`select message_id, deliveries, error from dead_letter where replayed_at is null`)
  }

  /** Publishes a message without the outbox, as a faulty or malicious publisher would. */
  async function inject(
    attributes: Record<string, string>,
    payload: Uint8Array,
    subject = 'things.thing.changed',
  ): Promise<void> {
    const connection = parts.nats.connection()
    if (!connection) throw new Error('NATS is unavailable')
    const given = headers()
    for (const [name, value] of Object.entries(attributes)) given.set(name, value)
    await jetstream(connection).publish(`${test.stream.toLowerCase()}.${subject}`, payload, { headers: given })
  }

  it('passes each event to its handler, decoded, with all attributes', async () => {
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
        type: 'storekeep.things.v1.Thing',
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

  it.each([
    ['makes dead letters of the events of another cell', 1, 0, 1],
    ['would apply the events of every cell without knowing its own (negative control)', undefined, 1, 0],
  ])('%s', async (_, cell, applied, dead) => {
    consume(cell === undefined ? {} : { cell })
    await database.transaction((tx) => publishThing(tx, { id: 'foreign', version: 1 }))
    const lettersOf = () => database.query(sql`select * from dead_letter`)
    await waitFor(async () => (await countSeen(database)) + (await lettersOf()).length > 0, 'an outcome')
    expect({ applied: await countSeen(database), dead: (await lettersOf()).length }).toEqual({ applied, dead })
  })

  it('applies each event once with two replicas', async () => {
    consume()
    consume()
    for (const version of [1, 2, 3]) await changeThings(database, thingIds(50), version)
    await waitUntilApplied(database)
    expect(await countSeen(database)).toBe(150)
  })

  it('applies an event once when the stream contains it twice, and twice without the record of applied events (negative control)', async () => {
    consume()
    // Negative control: deletes the records of applied events.
    consume({
      name: 'test-forgetful',
      handlers: [
        onEvent(ThingSchema, async (tx, event) => {
          await tx.query(sql`delete from consumed_event where consumer = 'test-forgetful'`)
          await recordSeen.handle(tx, { ...event, aggregateVersion: '1001' }, undefined)
        }),
      ],
    })
    await changeThings(database, ['double'], 1)
    await waitFor(async () => (await countSeen(database)) === 2, 'both consumers to apply it')
    // JetStream accepts a duplicate after its window of 10 minutes. A message without a Nats-Msg-Id has the same effect.
    const [row] = await database.query<{ event_id: string }>(sql`select event_id from outbox`)
    await inject({ ...attributesOf('double', 1), 'ce-id': row?.event_id ?? '' }, new Uint8Array())
    await changeThings(database, ['last'], 1)
    await waitFor(async () => (await countSeen(database, 'last')) === 2, 'the event behind it')
    const applied = await database.query(sql`
      select count(*)::int as count from seen where aggregate_id = 'double' group by version order by version`)
    // Version 1 was written by the consumer under test, version 1001 by the negative control.
    expect(applied).toEqual([{ count: 1 }, { count: 2 }])
  })

  it('deliver = newest skips older events, even after a deletion', async () => {
    const consumer = consume({ deliver: 'newest' })
    await database.transaction(async (tx) => {
      await publishThing(tx, { id: 'back', version: 2 })
      await publishThing(tx, { id: 'back', version: 1 })
      await publishThing(tx, { id: 'back', version: 3 })
      await publishThing(tx, { id: 'back', version: 3 })
    })
    await waitFor(
      async () => (await metricValue(consumer.metrics, 'events_consumed_total')) === 4,
      'all four to be processed',
    )
    const rows = await database.query(sql`select version from seen order by position`)
    expect(rows).toEqual([{ version: '2' }, { version: '3' }])
  })

  it('ignores events of unknown types', async () => {
    const consumer = consume({ handlers: [] })
    await changeThings(database, ['unknown'], 1)
    await waitFor(
      async () => (await metricValue(consumer.metrics, 'events_consumed_total', { outcome: 'ignored' })) === 1,
      'the event to be ignored',
    )
    expect(await deadLetters()).toEqual([])
  })

  it('rolls back failed attempts and applies the event in a later one', async () => {
    let attempts = 0
    const failing = onEvent(ThingSchema, async (tx, event) => {
      await recordSeen.handle(tx, event, undefined)
      attempts += 1
      if (attempts < 4) throw new Error('not yet')
    })
    consume({ handlers: [failing] })
    await changeThings(database, ['failing'], 1)
    await waitUntilApplied(database)
    expect([attempts, await deadLetters()]).toEqual([4, []])
  })

  it('prepares outside the transaction, and not for an event that was applied before', async () => {
    const prepared: string[] = []
    const withPrepare = onEvent(
      ThingSchema,
      async (tx, event, name: string) => {
        expect(name).toBe('prepared two')
        await recordSeen.handle(tx, event, undefined)
      },
      async (event) => {
        prepared.push(event.aggregateId)
        if (prepared.length === 1) throw new Error('the other system is unavailable')
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
      'the duplicate to be detected',
    )
    expect(prepared).toEqual(['slow', 'slow'])
  })

  it('does not count postponed deliveries as attempts', async () => {
    let deliveries = 0
    const unlucky = onEvent(ThingSchema, recordSeen.handle, async () => {
      deliveries += 1
      if (deliveries <= 5) throw new PostponeEvent('the other system is unavailable')
      if (deliveries === 6) throw new Error('the only real failure')
      return undefined
    })
    const consumer = consume({ handlers: [unlucky], maxAttempts: 2, retryDelayMs: 1 })
    await changeThings(database, ['unlucky'], 1)
    await waitUntilApplied(database)
    expect([deliveries, await deadLetters()]).toEqual([7, []])
    expect(await metricValue(consumer.metrics, 'events_consumed_total', { outcome: 'postponed' })).toBe(5)
  })

  it('gives up on an event after 200 postponed deliveries without blocking others', async () => {
    const hopeless = onEvent(ThingSchema, async (tx, event) => {
      if (event.aggregateId === 'hopeless')
        throw new PostponeEvent('unavailable', { cause: new Error('closed for good') })
      await recordSeen.handle(tx, event, undefined)
    })
    consume({ handlers: [hopeless], retryDelayMs: 0 })
    await changeThings(database, ['hopeless', ...thingIds(20, 'healthy')], 1)
    await waitFor(async () => (await countSeen(database, 'healthy')) === 20, 'the healthy events')
    await waitFor(async () => (await deadLetters()).length === 1, 'a dead letter')
    expect(await deadLetters()).toMatchObject([{ deliveries: 200, error: expect.stringContaining('unavailable') }])
  })

  it('moves faulty events to dead letters with their cause without blocking others, and replays them', async () => {
    let isFixed = false
    const selective = onEvent(ThingSchema, async (tx, event) => {
      if (event.aggregateId === 'poison' && !isFixed) throw new Error('cannot handle this event')
      await recordSeen.handle(tx, event, undefined)
    })
    const { consumer } = consume({ handlers: [selective], maxAttempts: 3 })
    await changeThings(database, ['poison'], 1)
    await inject({ ...attributesOf('bytes', 1), 'ce-id': randomUUID() }, Buffer.from('ffffffff', 'hex'))
    await inject({}, Buffer.from('no headers at all'))
    await changeThings(database, thingIds(20, 'healthy'), 1)
    await waitFor(async () => (await countSeen(database, 'healthy')) === 20, 'the healthy events')
    await waitFor(async () => (await deadLetters()).length === 3, 'three dead letters')

    const letters = await deadLetters()
    expect(letters.find(({ error }) => error.includes('cannot handle this event'))).toMatchObject({ deliveries: 3 })
    expect(letters.filter(({ deliveries }) => deliveries === 1)).toHaveLength(2)
    expect(letters.some(({ error }) => error.includes('ce-type'))).toBe(true)

    expect(await replayDeadLetters(database, [consumer])).toEqual({ applied: 0, failed: 3 })
    expect(await deadLetters()).toHaveLength(3)
    isFixed = true
    expect(await replayDeadLetters(database, [consumer], { consumer: 'test-seen' })).toEqual({ applied: 1, failed: 2 })
    expect([await countSeen(database, 'poison'), (await deadLetters()).length]).toEqual([1, 2])
    await database.query(sql`update dead_letter set replayed_at = null`)
    expect(await replayDeadLetters(database, [consumer])).toEqual({ applied: 1, failed: 2 })
    await waitUntilApplied(database)
    await expect(replayDeadLetters(database, [consumer], { consumer: 'other' })).rejects.toMatchObject({
      violations: [{ path: 'consumer', validation: 'reference' }],
    })
  })

  it('makes dead letters of events that another service has forged, and would apply them with the right subject', async () => {
    consume({ filterSubject: '>' })
    const forged = (subject: string, attributes: Record<string, string> = {}) =>
      inject({ ...attributesOf('forged', 1), ...attributes, 'ce-id': randomUUID() }, new Uint8Array(), subject)
    await forged('bans.thing.changed')
    await forged('things.other.changed', { 'ce-aggregate': 'other' })
    await forged('things.thing.changed', { 'ce-aggregate': 'other' })
    await waitFor(async () => (await deadLetters()).length === 3, 'three dead letters')
    expect(new Set((await deadLetters()).map(({ error }) => error.split('\n')[0]))).toEqual(
      new Set(['Error: The subject is not one of this type of event.']),
    )
    expect(await countSeen(database)).toBe(0)
    await forged('things.thing.changed')
    await waitFor(async () => (await countSeen(database)) === 1, 'the event to be applied (negative control)')
  })

  it('reads dead letters in pages to replay them, stops when the caller is gone, and prunes them after 35 days', async () => {
    await database.query(sql`
      insert into dead_letter (consumer, message_id, subject, headers, payload, deliveries, error)
      select 'gone', n::text, ${`${test.stream.toLowerCase()}.things.thing.changed`}, '{}', '', 1, 'failed'
      from generate_series(1, 120) as n`)
    const caller = new AbortController()
    let largest = 0
    let replayed = 0
    const counting: Pick<Database, 'query'> = {
      async query<Row extends object>(statement: Sql) {
        const rows = await database.query<Row>(statement)
        largest = Math.max(largest, rows.length)
        return rows
      },
    }
    const consumer = {
      name: 'gone',
      async replay() {
        replayed += 1
        if (replayed === 5) caller.abort()
      },
    }
    expect((await replayDeadLetters(counting, [consumer], { signal: caller.signal })).applied).toBe(5)
    expect((await replayDeadLetters(counting, [consumer])).applied).toBe(115)
    expect(largest).toBe(100)
    await database.query(sql`
      update dead_letter set replayed_at = now() - interval '36 days' where message_id::int between 1 and 7`)
    expect([await pruneDeadLetters(database, 5), await pruneDeadLetters(database, 5)]).toEqual([5, 2])
  })

  it('applies events in batches, up to the newest version of each aggregate', async () => {
    const sizes: number[] = []
    for (const version of [1, 2, 3]) await changeThings(database, thingIds(50), version)
    await waitUntilPublished(database)
    const prepared: string[] = []
    const many = onEvents(
      [ThingSchema],
      async (tx, events, ids: readonly string[]) => {
        sizes.push(events.length)
        prepared.push(...events.map(({ id }, index) => (ids[index] === id ? 'own' : 'other')))
        for (const event of events) await recordSeen.handle(tx, event, undefined)
      },
      async ({ id }) => id,
    )
    const consumers = [
      consume({ deliver: 'newest', handlers: [many] }),
      consume({ deliver: 'newest', handlers: [many] }),
    ]
    const taken = () =>
      Promise.all(consumers.map(({ metrics }) => metricValue(metrics, 'events_consumed_total'))).then(sum)
    await waitFor(async () => (await taken()) === 150, 'every event to be processed')
    const rows = await database.query<{ versions: string[] }>(sql`
      select array_agg(version order by position) as versions from seen group by aggregate_id`)
    expect(rows).toHaveLength(50)
    for (const { versions } of rows) {
      expect(versions.at(-1)).toBe('3')
      expect(versions).toEqual([...new Set(versions)].sort())
    }
    expect(Math.max(...sizes)).toBeGreaterThan(1)
    expect(new Set(prepared)).toEqual(new Set(['own']))
  })

  it('applies events in one batch although events of types that it ignores are between them', async () => {
    const sizes: number[] = []
    const many = onEvents([ThingSchema], async (_tx, events) => void sizes.push(events.length))
    for (const id of thingIds(10)) {
      await inject({ ...attributesOf(id, 1), 'ce-id': randomUUID() }, new Uint8Array())
      await inject(
        { ...attributesOf(id, 2), 'ce-id': randomUUID(), 'ce-type': `${ThingSchema.typeName}Renamed` },
        new Uint8Array(),
      )
    }
    const { metrics } = consume({ deliver: 'newest', handlers: [many] })
    await waitFor(
      async () => (await metricValue(metrics, 'events_consumed_total')) === 20,
      'every event to be processed',
    )
    expect(sum(sizes)).toBe(10)
    expect(Math.max(...sizes)).toBeGreaterThan(1)
  })

  it('applies the other events of a batch when one is faulty', async () => {
    const selective = onEvents([ThingSchema], async (tx, events) => {
      for (const event of events) await recordSeen.handle(tx, event, undefined)
      if (events.some(({ aggregateId }) => aggregateId === 'poison')) throw new Error('cannot handle this event')
    })
    await inject({ ...attributesOf('bytes', 1), 'ce-id': randomUUID() }, Buffer.from('ffffffff', 'hex'))
    await changeThings(database, [...thingIds(20, 'healthy'), 'poison', ...thingIds(20, 'hale')], 1)
    await waitUntilPublished(database)
    consume({ deliver: 'newest', handlers: [selective], maxAttempts: 3 })
    await waitFor(async () => (await deadLetters()).length === 2, 'two dead letters')
    expect((await deadLetters()).map(({ deliveries }) => deliveries).sort()).toEqual([1, 3])
    await waitFor(async () => (await countSeen(database)) === 40, 'the healthy events')
    expect([await countSeen(database, 'poison'), await countSeen(database, 'bytes')]).toEqual([0, 0])
  })

  it('applies the other events of a batch when one makes the database fail the transaction', async () => {
    const sizes: number[] = []
    const held = onEvents([ThingSchema], async (tx, events) => {
      sizes.push(events.length)
      for (const event of events) await recordSeen.handle(tx, event, undefined)
      const isLocked = events.some(({ aggregateId }) => aggregateId === 'held')
      if (isLocked) throw errors.unavailable(new Error('another transaction holds the row lock'))
    })
    await changeThings(database, [...thingIds(20, 'healthy'), 'held', ...thingIds(20, 'hale')], 1)
    await waitUntilPublished(database)
    consume({ deliver: 'newest', handlers: [held] })
    await waitFor(async () => (await countSeen(database)) === 40, 'the healthy events')
    expect(Math.max(...sizes)).toBeGreaterThan(1)
    expect([await countSeen(database, 'held'), (await deadLetters()).length]).toEqual([0, 0])
  })

  it('gives up on no event while its database is unavailable', async () => {
    let isDown = true
    const cut: Database = {
      ...database,
      ping: async () => {},
      transaction: (work) =>
        database.transaction(async (tx) => {
          const result = await work(tx)
          if (isDown) await tx.query(sql`select pg_terminate_backend(pg_backend_pid())`)
          return result
        }),
    }
    const consumer = consume({ database: cut, maxAttempts: 2, retryDelayMs: 5 })
    await changeThings(database, ['patient'], 1)
    await waitFor(
      async () => (await metricValue(consumer.metrics, 'events_consumed_total', { outcome: 'retried' })) >= 5,
      'several failed attempts',
    )
    expect([await deadLetters(), await countSeen(database)]).toEqual([[], 0])
    isDown = false
    await waitUntilApplied(database)
  })

  it('applies each event once when consumer and stream are deleted', async () => {
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
    'ce-type': 'storekeep.things.v1.Thing',
    'ce-subject': aggregateId,
    'ce-aggregate': 'thing',
    'ce-aggregateversion': String(version),
    'ce-time': new Date().toISOString(),
  }
}
