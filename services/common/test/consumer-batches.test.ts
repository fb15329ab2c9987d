import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { errors } from '../src/errors/index.ts'
import { onEvents } from '../src/events/index.ts'
import { changeThings, countSeen, metricValue, recordSeen, thingIds, waitUntilPublished } from './events-harness.ts'
import { ThingSchema } from './fixtures/thing-proto.ts'
import { waitFor } from './harness.ts'
import { attributesOf, useConsumers } from './use-consumers.ts'

const setup = useConsumers()
const { consume, deadLetters, inject } = setup

describe('a consumer of batches', () => {
  it('applies events in batches, up to the newest version of each aggregate', async () => {
    const sizes: number[] = []
    for (const version of [1, 2, 3]) await changeThings(setup.database, thingIds(50), version)
    await waitUntilPublished(setup.database)
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
    const rows = await setup.database.query<{ versions: string[] }>(sql`
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
    await changeThings(setup.database, [...thingIds(20, 'healthy'), 'poison', ...thingIds(20, 'hale')], 1)
    await waitUntilPublished(setup.database)
    consume({ deliver: 'newest', handlers: [selective], maxAttempts: 3 })
    await waitFor(async () => (await deadLetters()).length === 2, 'two dead letters')
    expect((await deadLetters()).map(({ deliveries }) => deliveries).sort()).toEqual([1, 3])
    await waitFor(async () => (await countSeen(setup.database)) === 40, 'the healthy events')
    expect([await countSeen(setup.database, 'poison'), await countSeen(setup.database, 'bytes')]).toEqual([0, 0])
  })

  it('applies the other events of a batch when one makes the setup.database fail the transaction', async () => {
    const sizes: number[] = []
    const held = onEvents([ThingSchema], async (tx, events) => {
      sizes.push(events.length)
      for (const event of events) await recordSeen.handle(tx, event, undefined)
      const isLocked = events.some(({ aggregateId }) => aggregateId === 'held')
      if (isLocked) throw errors.unavailable(new Error('another transaction holds the row lock'))
    })
    await changeThings(setup.database, [...thingIds(20, 'healthy'), 'held', ...thingIds(20, 'hale')], 1)
    await waitUntilPublished(setup.database)
    consume({ deliver: 'newest', handlers: [held] })
    await waitFor(async () => (await countSeen(setup.database)) === 40, 'the healthy events')
    expect(Math.max(...sizes)).toBeGreaterThan(1)
    expect([await countSeen(setup.database, 'held'), (await deadLetters()).length]).toEqual([0, 0])
  })
})

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
