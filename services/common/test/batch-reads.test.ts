import sql, { type Sql } from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { batchReads, createDatabase, type Queryable } from '../src/postgres/index.ts'
import { inTrace } from '../src/telemetry/index.ts'
import { faultOf, recordSpans } from '../testing/index.ts'
import { createTestDatabase, silentLog, type TestDatabase } from './harness.ts'

describe('reads by id of one turn of the event loop', () => {
  let test: TestDatabase
  beforeAll(async () => {
    test = await createTestDatabase()
    await test.database.query(
      sql`create table owned (store_id bigint, id bigint, name text, primary key (store_id, id))`,
    )
    await test.database.query(sql`insert into owned select store, id, store || '/' || id
      from generate_series(1, 3) store, generate_series(1, 300) id`)
  })
  afterAll(() => test.drop())

  /** @param database counts its statements */
  function finder(database: Queryable = test.database) {
    const sent: Sql[] = []
    const find = batchReads<{ id: string; storeId: string; name: string }>(
      {
        query: (statement) => {
          sent.push(statement)
          return database.query(statement)
        },
      },
      (storeIds, ids) => sql`select id, store_id as "storeId", name from owned
        join unnest(${storeIds}::bigint[], ${ids}::bigint[]) as wanted (store, key) on store_id = store and id = key`,
    )
    return { sent, find: (storeId: string, id: string) => find(storeId, id).then((row) => row?.name) }
  }

  it('are one statement, and each gets the record of its store', async () => {
    const { find, sent } = finder()
    const names = await Promise.all([find('1', '7'), find('2', '7'), find('2', '999'), find('9', '7'), find('1', '7')])
    expect(names).toEqual(['1/7', '2/7', undefined, undefined, '1/7'])
    expect(sent).toHaveLength(1)
  })

  it('are split into statements of at most 100', async () => {
    const { find, sent } = finder()
    const names = await Promise.all(Array.from({ length: 201 }, (_, n) => find('3', String(n + 1))))
    expect(names).toEqual(Array.from({ length: 201 }, (_, n) => `3/${n + 1}`))
    expect(sent).toHaveLength(3)
  })

  it('never join a statement that was already sent, so they see every change before them', async () => {
    const { find, sent } = finder()
    const before = find('1', '300')
    await new Promise((resolve) => setImmediate(resolve))
    expect(sent).toHaveLength(1)
    await test.database.query(sql`update owned set name = 'renamed' where store_id = 1 and id = 300`)
    expect(await find('1', '300')).toBe('renamed')
    await before
  })

  it('all fail with the same fault when the database is unavailable', async () => {
    const closed = createDatabase({ url: test.url, applicationName: 'closed', log: silentLog })
    await closed.close()
    const { find } = finder(closed)
    const faults = await Promise.all(['1', '2', '3'].map((id) => faultOf(find('1', id))))
    expect(faults).toEqual(Array(3).fill(expect.objectContaining({ code: 'service-unavailable' })))
  })

  it('have a span each, in the trace of their caller, and none for the statement they share', async () => {
    const record = recordSpans()
    const { find } = finder()
    await Promise.all(['1', '2'].map((id) => inTrace(`call ${id}`, () => find('1', id))))
    record.stop()
    const reads = record.spans().filter(({ name }) => name === 'SELECT owned')
    const parents = reads.map(({ parentId }) => record.spans().find(({ spanId }) => spanId === parentId)?.name)
    expect(parents.sort()).toEqual(['call 1', 'call 2'])
    expect(new Set(reads.map(({ traceId }) => traceId)).size).toBe(2)
  })
})
