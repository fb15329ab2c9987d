import { randomUUID } from 'node:crypto'
import sql, { type Sql } from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { pruneDeadLetters } from '../src/events/dead-letters.ts'
import { onEvent, PostponeEvent, replayDeadLetters } from '../src/events/index.ts'
import type { Database } from '../src/postgres/index.ts'
import { changeThings, countSeen, recordSeen, thingIds, waitUntilApplied } from './events-harness.ts'
import { ThingSchema } from './fixtures/thing-proto.ts'
import { waitFor } from './harness.ts'
import { attributesOf, useConsumers } from './use-consumers.ts'

const setup = useConsumers()
const { consume, deadLetters, inject } = setup

describe('a consumer of faulty events', () => {
  it('gives up on an event after 200 postponed deliveries without blocking others', async () => {
    const hopeless = onEvent(ThingSchema, async (tx, event) => {
      if (event.aggregateId === 'hopeless')
        throw new PostponeEvent('unavailable', { cause: new Error('closed for good') })
      await recordSeen.handle(tx, event, undefined)
    })
    consume({ handlers: [hopeless], retryDelayMs: 0 })
    await changeThings(setup.database, ['hopeless', ...thingIds(20, 'healthy')], 1)
    await waitFor(async () => (await countSeen(setup.database, 'healthy')) === 20, 'the healthy events')
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
    await changeThings(setup.database, ['poison'], 1)
    await inject({ ...attributesOf('bytes', 1), 'ce-id': randomUUID() }, Buffer.from('ffffffff', 'hex'))
    await inject({}, Buffer.from('no headers at all'))
    await changeThings(setup.database, thingIds(20, 'healthy'), 1)
    await waitFor(async () => (await countSeen(setup.database, 'healthy')) === 20, 'the healthy events')
    await waitFor(async () => (await deadLetters()).length === 3, 'three dead letters')

    const letters = await deadLetters()
    expect(letters.find(({ error }) => error.includes('cannot handle this event'))).toMatchObject({ deliveries: 3 })
    expect(letters.filter(({ deliveries }) => deliveries === 1)).toHaveLength(2)
    expect(letters.some(({ error }) => error.includes('ce-type'))).toBe(true)

    expect(await replayDeadLetters(setup.database, [consumer])).toEqual({ applied: 0, failed: 3 })
    expect(await deadLetters()).toHaveLength(3)
    isFixed = true
    expect(await replayDeadLetters(setup.database, [consumer], { consumer: 'test-seen' })).toEqual({
      applied: 1,
      failed: 2,
    })
    expect([await countSeen(setup.database, 'poison'), (await deadLetters()).length]).toEqual([1, 2])
    await setup.database.query(sql`update dead_letter set replayed_at = null`)
    expect(await replayDeadLetters(setup.database, [consumer])).toEqual({ applied: 1, failed: 2 })
    await waitUntilApplied(setup.database)
    await expect(replayDeadLetters(setup.database, [consumer], { consumer: 'other' })).rejects.toMatchObject({
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
    expect(await countSeen(setup.database)).toBe(0)
    await forged('things.thing.changed')
    await waitFor(async () => (await countSeen(setup.database)) === 1, 'the event to be applied (negative control)')
  })

  it('reads dead letters in pages to replay them, stops when the caller is gone, and prunes them after 35 days', async () => {
    await setup.database.query(sql`
      insert into dead_letter (consumer, message_id, subject, headers, payload, deliveries, error)
      select 'gone', n::text, ${`${setup.test.stream.toLowerCase()}.things.thing.changed`}, '{}', '', 1, 'failed'
      from generate_series(1, 120) as n`)
    const caller = new AbortController()
    let largest = 0
    let replayed = 0
    const counting: Pick<Database, 'query'> = {
      async query<Row extends object>(statement: Sql) {
        const rows = await setup.database.query<Row>(statement)
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
    await setup.database.query(sql`
      update dead_letter set replayed_at = now() - interval '36 days' where message_id::int between 1 and 7`)
    expect([await pruneDeadLetters(setup.database, 5), await pruneDeadLetters(setup.database, 5)]).toEqual([5, 2])
  })
})
