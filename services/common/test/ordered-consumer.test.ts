import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { errors } from '../src/errors/index.ts'
import { type OrderedConsumerParts, replayDeadLetters } from '../src/events/index.ts'
import { changeThings, metricValue, thingIds, waitUntilPublished } from './events-harness.ts'
import { ThingSchema } from './fixtures/thing-proto.ts'
import { waitFor } from './harness.ts'
import { recordEach, useOrderedConsumers } from './use-ordered-consumers.ts'

const setup = useOrderedConsumers()
const { consumers, replaceStream, consume, connectThroughProxy, seen, waitForSeen, outOfOrder, isRead, inject } = setup

describe('an ordered consumer', () => {
  it('applies every event in order while replicas take over from each other', async () => {
    for (let version = 1; version <= 6; version += 1) {
      consume({ reader: `replica ${version}` })
      await waitFor(isRead, 'a replica to read')
      await changeThings(setup.database, thingIds(10), version)
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
        if (!isProtected) await setup.database.query(sql`insert into seen (aggregate_id, version) values ('one', 1)`)
        return () => true
      },
      apply: (tx, events) => recordEach(tx, events, 'frozen'),
    })
    await changeThings(setup.database, ['one'], 1)
    await isFrozen.promise
    await setup.database.query(sql`update stream_position set held_until = '-infinity'`)
    consume({ reader: 'other' })
    await waitForSeen(1)
    await changeThings(setup.database, ['one'], 2)
    await waitForSeen(2)
    frozen.resolve()
    await consumers.shift()?.stop()
    expect(await outOfOrder()).toBe(isProtected ? 0 : 1)
  })

  it('applies all events, in order, after connections that broke while messages were on their way', async () => {
    const { nats, proxy } = await connectThroughProxy()
    consume({ nats })
    for (let version = 1; version <= 5; version += 1) {
      const writing = changeThings(setup.database, thingIds(10), version)
      proxy.cut()
      await writing
      proxy.pass()
    }
    await waitForSeen(50)
    expect(await outOfOrder()).toBe(0)
  })

  it('reads a stream that was created again from its start, and applies repeated events without an effect', async () => {
    consume()
    await changeThings(setup.database, thingIds(5), 1)
    await waitForSeen(5)
    await waitUntilPublished(setup.database)
    await replaceStream()
    // The relay publishes the lost events again.
    await changeThings(setup.database, thingIds(5), 2)
    await waitForSeen(10)
    expect(await outOfOrder()).toBe(0)
  })

  it('reads from the start when the message at its position is another one, since the server lost its tail', async () => {
    await changeThings(setup.database, thingIds(5), 1)
    await waitUntilPublished(setup.database)
    const first = consume()
    await waitForSeen(5)
    await consumers.shift()?.stop()
    expect(await metricValue(first.metrics, 'events_consumed_total')).toBe(5)
    // As if the five messages at these sequences were replaced by others.
    await setup.database.query(sql`update stream_position set event_id = gen_random_uuid()::text`)
    await setup.database.query(sql`truncate seen`)
    consume()
    await waitFor(async () => (await seen()).length >= 5, 'the events to be applied again')
  })

  it('retries in place while the setup.database is unavailable, so that later events wait', async () => {
    let failures = 5
    consume({
      async apply(tx, events) {
        failures -= 1
        if (failures >= 0) throw errors.unavailable(new Error('Postgres is unavailable'))
        await recordEach(tx, events, 'one')
      },
    })
    for (const version of [1, 2, 3]) await changeThings(setup.database, thingIds(3), version)
    await waitForSeen(9)
    expect(failures).toBeLessThan(0)
    expect(await outOfOrder()).toBe(0)
  })

  it('halves a batch that cannot be applied within the statement timeout, and applies all of it in order', async () => {
    await changeThings(setup.database, thingIds(20), 1)
    await changeThings(setup.database, thingIds(20), 2)
    await waitUntilPublished(setup.database)
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
    expect(await setup.database.query(sql`select from dead_letter`)).toEqual([])
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
    await changeThings(setup.database, thingIds(3), 1)
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
    await changeThings(setup.database, ['good', 'poison', 'better'], 1)
    await waitForSeen(2)
    await waitFor(
      async () => (await metricValue(consumer.metrics, 'events_consumed_total', { outcome: 'dead_letter' })) === 2,
      'two dead letters',
    )
    const letters = await setup.database.query<{ error: string }>(sql`select error from dead_letter order by id`)
    expect(letters.map(({ error }) => error).join()).toMatch(/header ce-id is missing.*poison/s)
    isFixed = true
    expect(await replayDeadLetters(setup.database, [consumer.consumer])).toEqual({ applied: 1, failed: 1 })
    expect(await seen()).toHaveLength(3)
  })

  it('makes dead letters of the events of another cell', async () => {
    const consumer = consume({ cell: 1 })
    await changeThings(setup.database, ['foreign'], 1)
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
    await changeThings(setup.database, thingIds(10), 1)
    await waitFor(
      async () => (await metricValue(consumer.metrics, 'events_consumed_total', { outcome: 'ignored' })) === 11,
      'all to be ignored',
    )
    await consumers.shift()?.stop()
    expect(asked).toEqual(Array(10).fill('7'))
    consume()
    await changeThings(setup.database, ['last'], 1)
    await waitForSeen(1)
  })
})
