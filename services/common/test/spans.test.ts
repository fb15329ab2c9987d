import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { onEvent, publishEvent } from '../src/events/index.ts'
import type { Database } from '../src/postgres/index.ts'
import { summarize } from '../src/postgres/statement-span.ts'
import { inTrace } from '../src/telemetry/index.ts'
import { type RecordedSpan, recordSpans } from '../testing/index.ts'
import { createSeenTable, type Parts, recordSeen, startConsumer, startRelay, withManager } from './events-harness.ts'
import { ThingSchema } from './fixtures/thing-proto.ts'
import { createTestDatabase, type TestDatabase, waitFor } from './harness.ts'

describe('spans', () => {
  let test: TestDatabase
  let database: Database
  let parts: Parts
  let record: ReturnType<typeof recordSpans>

  beforeAll(async () => {
    test = await createTestDatabase()
    database = test.database
    await createSeenTable(database)
    parts = startRelay(test)
  })
  beforeEach(() => {
    record = recordSpans()
  })
  afterEach(() => record.stop())
  afterAll(async () => {
    await withManager(parts.nats, (manager) => manager.streams.delete(test.stream).catch(() => false))
    await parts.stop()
    await test.drop()
  })

  /** Writes an event in a new trace, with or without the trace context. */
  async function writeEvent(id: string, context: 'traced' | 'untraced'): Promise<void> {
    await inTrace('write', (traceparent) =>
      database.transaction((tx) =>
        publishEvent(tx, {
          service: 'things',
          aggregate: 'thing',
          verb: 'changed',
          aggregateId: id,
          aggregateVersion: 1,
          storeId: '7',
          traceparent: context === 'traced' ? traceparent : undefined,
          schema: ThingSchema,
          message: { id, version: 1, name: '' } as Record<string, unknown>,
        }),
      ),
    )
  }

  /** The names of a span and its ancestors. */
  function pathOf(span: RecordedSpan | undefined): string[] {
    const above = record.spans().find((one) => one.spanId === span?.parentId)
    return span ? [span.name, ...pathOf(above)] : []
  }

  const named = (name: string) => record.spans().filter((one) => one.name === name)
  const subject = () => `${test.stream.toLowerCase()}.things.thing.changed`

  it('statement spans contain operation and table, never values', async () => {
    await inTrace('work', async () => {
      await database.query(sql`insert into seen (aggregate_id) values (${'secret'})`)
      await database.transaction(async (tx) => {
        await tx.query(sql`select from seen where aggregate_id = ${'secret'} for update`)
        tx.enqueueBeforeCommit(sql`delete from seen where aggregate_id = ${'secret'}`)
      })
      await database.query(sql`select 1 / 0 as ${'secret'}`).catch(() => {})
    })
    expect(record.spans().map((one) => [pathOf(one).join(' < '), one.failed])).toEqual([
      ['INSERT seen < work', false],
      ['SELECT seen < transaction < work', false],
      ['DELETE seen < transaction < work', false],
      ['COMMIT < transaction < work', false],
      ['transaction < work', false],
      ['SELECT < work', true],
      ['work', false],
    ])
    expect(JSON.stringify(record.spans())).not.toContain('secret')
    expect(named('INSERT seen')[0]?.attributes).toEqual({
      'db.system.name': 'postgresql',
      'db.operation.name': 'INSERT',
      'db.query.summary': 'INSERT seen',
    })
  })

  it('are not created for statements outside of recorded work', async () => {
    await database.query(sql`select`)
    await database.transaction((tx) => tx.query(sql`select`))
    expect(record.spans()).toEqual([])
  })

  it("event spans form one trace from the change to the effect and the effect's statements", async () => {
    const follow = onEvent(ThingSchema, async (tx, event) => {
      await recordSeen.handle(tx, event, undefined)
      await tx.query(sql`update seen set version = 2 where aggregate_id = ${String(event.traceparent)}`)
    })
    const consumer = startConsumer(test, parts.nats, { name: 'test-spans', handlers: [follow] })
    await writeEvent('thing-1', 'traced')
    await waitFor(() => named(`process ${subject()}`).length > 0, 'the event to be processed')
    await consumer.stop()
    const ancestors = [`process ${subject()}`, `send ${subject()}`, 'write']
    expect(pathOf(named('INSERT seen')[0])).toEqual(['INSERT seen', 'transaction', ...ancestors])
    expect(named(`send ${subject()}`)[0]).toMatchObject({
      kind: 'producer',
      attributes: {
        'messaging.system.name': 'nats',
        'messaging.operation.type': 'send',
        'messaging.destination.name': subject(),
        'storekeep.store_id': '7',
      },
    })
    expect(named(`process ${subject()}`)[0]).toMatchObject({
      kind: 'consumer',
      attributes: {
        'messaging.operation.type': 'process',
        'messaging.consumer.group.name': 'test-spans',
        'storekeep.event.outcome': 'applied',
        'storekeep.event.attempt': 1,
      },
    })
  })

  it('end at the outbox if the event has no trace context (negative control)', async () => {
    const consumer = startConsumer(test, parts.nats, { name: 'test-untraced' })
    await writeEvent('thing-2', 'untraced')
    await waitFor(
      async () => (await database.query(sql`select from seen where aggregate_id = 'thing-2'`)).length > 0,
      'the event to be processed',
    )
    await consumer.stop()
    const [begun] = named('write')
    const ofTrace = record.spans().filter(({ traceId }) => traceId === begun?.traceId)
    expect(ofTrace.map(({ name }) => name)).toEqual(['INSERT outbox', 'transaction', 'write'])
  })

  it('spans of a failing event contain the type of the error and the outcome', async () => {
    const fail = onEvent(ThingSchema, () => Promise.reject(new RangeError('secret')))
    const options = { name: 'test-failing', handlers: [fail], maxAttempts: 2, retryDelayMs: 1 }
    const consumer = startConsumer(test, parts.nats, options)
    await writeEvent('thing-3', 'traced')
    const tries = () =>
      named(`process ${subject()}`).filter(({ attributes }) => attributes['error.type'] === 'RangeError')
    await waitFor(
      () => tries().some(({ attributes }) => attributes['storekeep.event.outcome'] === 'dead_letter'),
      'the end',
    )
    await consumer.stop()
    expect(tries().every(({ failed }) => failed)).toBe(true)
    expect(JSON.stringify(record.spans())).not.toContain('secret')
  })
})

describe('the summary of a statement', () => {
  it.each([
    ['select id from customer where id = $1', 'SELECT customer'],
    ['select id from customer for update skip locked', 'SELECT customer'],
    ['insert into ban (a) values ($1) on conflict (a) do update set a = 1', 'INSERT ban'],
    ['with due as (select id from hold) update hold set at = $1 from due', 'UPDATE hold'],
    ['with gone as (delete from outbox returning 1) select count(*) from gone', 'DELETE outbox'],
    ['insert into document_17 (id) values ($1)', 'INSERT document'],
    ['select claimed from claim_idempotency_key($1, $2)', 'SELECT claim_idempotency_key'],
    ['commit', 'COMMIT'],
  ])('of "%s" is "%s"', (text, summary) => {
    expect(summarize(text)).toBe(summary)
  })
})
