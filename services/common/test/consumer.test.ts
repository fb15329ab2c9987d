import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { onEvent, PostponeEvent } from '../src/events/index.ts'
import type { Database } from '../src/postgres/index.ts'
import {
  changeThings,
  countSeen,
  metricValue,
  notAppliedOnce,
  publishThing,
  recordSeen,
  thingIds,
  waitUntilApplied,
  withManager,
} from './events-harness.ts'
import { ThingSchema } from './fixtures/thing-proto.ts'
import { waitFor } from './harness.ts'
import { attributesOf, useConsumers } from './use-consumers.ts'

const setup = useConsumers()
const { consume, deadLetters, inject } = setup

describe('a consumer', () => {
  it('passes each event to its handler, decoded, with all attributes', async () => {
    const events: unknown[] = []
    consume({
      handlers: [onEvent(ThingSchema, async (_tx, event) => void events.push(event))],
    })
    await setup.database.transaction((tx) => publishThing(tx, { id: 'whole', version: 3, name: 'Ada' }))
    await waitFor(() => events.length > 0, 'the event')
    expect(events).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        subject: `${setup.test.stream.toLowerCase()}.things.thing.changed`,
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
    await setup.database.transaction((tx) => publishThing(tx, { id: 'foreign', version: 1 }))
    const lettersOf = () => setup.database.query(sql`select * from dead_letter`)
    await waitFor(async () => (await countSeen(setup.database)) + (await lettersOf()).length > 0, 'an outcome')
    expect({ applied: await countSeen(setup.database), dead: (await lettersOf()).length }).toEqual({ applied, dead })
  })

  it('applies each event once with two replicas', async () => {
    consume()
    consume()
    for (const version of [1, 2, 3]) await changeThings(setup.database, thingIds(50), version)
    await waitUntilApplied(setup.database)
    expect(await countSeen(setup.database)).toBe(150)
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
    await changeThings(setup.database, ['double'], 1)
    await waitFor(async () => (await countSeen(setup.database)) === 2, 'both consumers to apply it')
    // JetStream accepts a duplicate after its window of 10 minutes. A message without a Nats-Msg-Id has the same effect.
    const [row] = await setup.database.query<{ event_id: string }>(sql`select event_id from outbox`)
    await inject({ ...attributesOf('double', 1), 'ce-id': row?.event_id ?? '' }, new Uint8Array())
    await changeThings(setup.database, ['last'], 1)
    await waitFor(async () => (await countSeen(setup.database, 'last')) === 2, 'the event behind it')
    const applied = await setup.database.query(sql`
      select count(*)::int as count from seen where aggregate_id = 'double' group by version order by version`)
    // Version 1 was written by the consumer under setup.test, version 1001 by the negative control.
    expect(applied).toEqual([{ count: 1 }, { count: 2 }])
  })

  it('deliver = newest skips older events, even after a deletion', async () => {
    const consumer = consume({ deliver: 'newest' })
    await setup.database.transaction(async (tx) => {
      await publishThing(tx, { id: 'back', version: 2 })
      await publishThing(tx, { id: 'back', version: 1 })
      await publishThing(tx, { id: 'back', version: 3 })
      await publishThing(tx, { id: 'back', version: 3 })
    })
    await waitFor(
      async () => (await metricValue(consumer.metrics, 'events_consumed_total')) === 4,
      'all four to be processed',
    )
    const rows = await setup.database.query(sql`select version from seen order by position`)
    expect(rows).toEqual([{ version: '2' }, { version: '3' }])
  })

  it('ignores events of unknown types', async () => {
    const consumer = consume({ handlers: [] })
    await changeThings(setup.database, ['unknown'], 1)
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
    await changeThings(setup.database, ['failing'], 1)
    await waitUntilApplied(setup.database)
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
    await changeThings(setup.database, ['slow'], 1)
    await waitUntilApplied(setup.database)
    const [row] = await setup.database.query<{ event_id: string }>(sql`select event_id from outbox`)
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
    await changeThings(setup.database, ['unlucky'], 1)
    await waitUntilApplied(setup.database)
    expect([deliveries, await deadLetters()]).toEqual([7, []])
    expect(await metricValue(consumer.metrics, 'events_consumed_total', { outcome: 'postponed' })).toBe(5)
  })

  it('gives up on no event while its setup.database is unavailable', async () => {
    let isDown = true
    const cut: Database = {
      ...setup.database,
      ping: async () => {},
      transaction: (work) =>
        setup.database.transaction(async (tx) => {
          const result = await work(tx)
          if (isDown) await tx.query(sql`select pg_terminate_backend(pg_backend_pid())`)
          return result
        }),
    }
    const consumer = consume({ database: cut, maxAttempts: 2, retryDelayMs: 5 })
    await changeThings(setup.database, ['patient'], 1)
    await waitFor(
      async () => (await metricValue(consumer.metrics, 'events_consumed_total', { outcome: 'retried' })) >= 5,
      'several failed attempts',
    )
    expect([await deadLetters(), await countSeen(setup.database)]).toEqual([[], 0])
    isDown = false
    await waitUntilApplied(setup.database)
  })

  it('applies each event once when consumer and stream are deleted', async () => {
    consume()
    await changeThings(setup.database, thingIds(30, 'before'), 1)
    await waitUntilApplied(setup.database)
    await withManager(setup.parts.nats, (manager) => manager.consumers.delete(setup.test.stream, 'test-seen'))
    await changeThings(setup.database, thingIds(30, 'between'), 1)
    await waitUntilApplied(setup.database)
    await withManager(setup.parts.nats, (manager) => manager.streams.delete(setup.test.stream))
    await changeThings(setup.database, thingIds(30, 'after'), 1)
    await waitUntilApplied(setup.database)
    expect([await countSeen(setup.database), await notAppliedOnce(setup.database)]).toEqual([90, 0])
  })
})
