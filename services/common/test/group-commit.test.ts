import { randomUUID } from 'node:crypto'
import pg from 'pg'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createGroupCommit } from '../src/postgres/group-commit.ts'
import { createDatabase, isUniqueViolation, type Row } from '../src/postgres/index.ts'
import { insertStatement } from '../src/postgres/insert-rows.ts'
import { onServer } from '../testing/test-database.ts'
import { changeThings, thingIds } from './events-harness.ts'
import { createTestDatabase, silentLog, type TestDatabase, waitFor } from './harness.ts'

describe('transactions that only insert rows', () => {
  let test: TestDatabase

  beforeAll(async () => {
    test = await createTestDatabase({ timeLimitFactor: 1 })
  })
  afterAll(() => test.drop())

  function insert(name: string, more: Row[] = [], caller = {}): Promise<void> {
    return test.database.transaction(async (tx) => {
      for (const row of [{ name }, ...more]) tx.insert('thing', row)
    }, caller)
  }

  async function names(like: string): Promise<string[]> {
    const rows = await test.database.query<{ name: string }>(
      sql`select name from thing where name like ${`${like}%`} order by name`,
    )
    return rows.map(({ name }) => name)
  }

  it('share commits when they are concurrent, and commit alone otherwise', async () => {
    const transactions = async (like: string) => {
      const rows = await test.database.query(sql`select distinct xmin from thing where name like ${`${like}%`}`)
      return rows.length
    }
    await Promise.all(Array.from({ length: 100 }, (_, n) => insert(`together ${n}`)))
    for (let n = 0; n < 5; n += 1) await insert(`alone ${n}`)
    expect((await names('together')).length).toBe(100)
    expect(await transactions('together')).toBeLessThan(20)
    expect(await transactions('alone')).toBe(5)
  })

  it('store every type of value, and defaults for absent columns', async () => {
    await test.database.query(sql`
      create table kinds (id bigint primary key, texts text[], numbers bigint[], json jsonb, at timestamptz, bytes bytea,
        flag boolean, number integer, nothing text, version bigint not null default 1)`)
    const at = new Date('2026-01-02T03:04:05.678Z')
    const row = {
      texts: ['a', 'with "quotes", {braces} and \\', ''],
      numbers: ['9223372036854775807', '1'],
      json: { a: ['x', null, { '': '\u2028' }], b: {} },
      at,
      bytes: Buffer.from([0, 1, 255, 92, 120]),
      flag: false,
      number: -7,
      nothing: null,
    }
    await test.database.transaction(async (tx) => {
      tx.insert('kinds', { id: 9223372036854775807n, ...row })
      tx.insert('kinds', { id: '2', ...row, texts: [], numbers: [], json: {}, bytes: Buffer.alloc(0) })
      tx.insert('kinds', { id: 3 })
    })
    const empty = { texts: [], numbers: [], json: {}, bytes: Buffer.alloc(0) }
    const unset = Object.fromEntries(Object.keys(row).map((column) => [column, null]))
    expect(await test.database.query(sql`select * from kinds order by id desc`)).toEqual([
      { id: '9223372036854775807', ...row, version: '1' },
      { id: '3', ...unset, version: '1' },
      { id: '2', ...row, ...empty, version: '1' },
    ])
  })

  it('fail separately: a taken value fails only its transaction, with all of its rows and events', async () => {
    await insert('taken')
    const outcomes = await Promise.allSettled(
      Array.from({ length: 40 }, (_, n) => insert(`isolated ${n}`, n % 8 === 3 ? [{ name: 'taken' }] : [])),
    )
    const failed = outcomes.flatMap((outcome, n) =>
      outcome.status === 'rejected' ? [{ n, error: outcome.reason }] : [],
    )
    expect(failed.map(({ n }) => n)).toEqual([3, 11, 19, 27, 35])
    for (const { error } of failed) expect(isUniqueViolation(error, 'thing_name_key')).toBe(true)
    expect((await names('isolated')).length).toBe(35)
  })

  it('share statements although one of them conflicts: no other one needs a transaction', async () => {
    await insert('conflict')
    const pool = new pg.Pool({ connectionString: test.url, max: 2 })
    const statements = vi.spyOn(pg.Client.prototype, 'query')
    const groups = createGroupCommit({ max: 2, connect: () => pool.connect() })
    const row = (name: string) => groups.insert([{ table: 'thing', row: { name } }], {})
    const outcomes = await Promise.allSettled(
      Array.from({ length: 64 }, (_, n) => row(n === 20 ? 'conflict' : `shared ${n}`)),
    )
    const sent = statements.mock.calls.length
    statements.mockRestore()
    await pool.end()
    const values = outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : outcome.reason))
    expect(isUniqueViolation(values[20], 'thing_name_key')).toBe(true)
    expect(values.filter((value) => value === true).length).toBe(63)
    expect(sent).toBeLessThanOrEqual(17)
  })

  it('see the rows of earlier inserts in statements for the commit, and share a transaction with statements', async () => {
    await test.database.transaction(async (tx) => {
      tx.insert('thing', { name: 'mixed' })
      tx.enqueueBeforeCommit(sql`update thing set version = version + 1 where name = 'mixed'`)
      tx.insert('thing', { name: 'mixed too' })
      await tx.query(sql`insert into thing (name) values ('mixed first')`)
    })
    const rows = await test.database.query(sql`
      select name, version, count(*) over (partition by xmin::text) as together from thing where name like 'mixed%' order by name`)
    expect(rows).toEqual([
      { name: 'mixed', version: '2', together: '3' },
      { name: 'mixed first', version: '1', together: '3' },
      { name: 'mixed too', version: '1', together: '3' },
    ])
  })

  it('are not delayed by a create that waits for a lock', async () => {
    const order: string[] = []
    const statement = sql`insert into thing (name) values ('locked')`
    await test.database.transaction(async (tx) => {
      await tx.query(statement)
      const usual = test.database
        .transaction((other) => other.query(statement))
        .catch(() => order.push('usual timeout'))
      const waiting = insert('locked').catch(() => order.push('timeout'))
      const others = Array.from({ length: 10 }, (_, n) => insert(`unlocked ${n}`))
      await Promise.all(others).then(() => order.push('others'))
      await Promise.all([usual, waiting])
    })
    expect(order).toEqual(['others', 'usual timeout', 'timeout'])
  })

  it('are reported after their commit by table, whether or not they share a statement', async () => {
    const seen: number[] = []
    const database = createDatabase({ url: test.url, applicationName: 'test', log: silentLog })
    database.onInsert('thing', () => seen.push(1))
    database.onInsert('outbox', () => seen.push(2))
    await database.transaction(async (tx) => tx.insert('thing', { name: 'reported' }))
    await database.transaction(async (tx) => {
      await tx.query(sql`select 1`)
      tx.insert('thing', { name: 'reported too' })
      expect(seen).toEqual([1])
    })
    const failing = database.transaction(async (tx) => tx.insert('thing', { name: 'reported' }))
    await expect(failing).rejects.toSatisfy(isUniqueViolation)
    await database.close()
    expect(seen).toEqual([1, 1])
  })

  it('are one statement per set of tables, whichever rows came first, so that concurrent ones lock in the same order', () => {
    const [a, b] = [
      { table: 'thing', row: { name: 'a' } },
      { table: 'outbox', row: { event_id: 'b' } },
    ]
    expect(insertStatement([a, b]).text).toBe(insertStatement([b, a]).text)
    expect(insertStatement([b, a, b]).text).toBe(insertStatement([a, b]).text)
  })

  it('insert nothing once their caller has left, and do not affect others', async () => {
    const caller = new AbortController()
    const leaving = insert('left', [], caller)
    const staying = insert('stayed')
    caller.abort()
    await expect(leaving).rejects.toMatchObject({ code: 'service-unavailable' })
    await staying
    expect([await names('left'), await names('stayed')]).toEqual([[], ['stayed']])
  })

  it('are unavailable, and not repeated, when the connection breaks before the result', async () => {
    // Only the first time, so that a repeated insert would succeed.
    await test.database.query(sql`create sequence waits`)
    await test.database.query(sql`
      create function wait_here() returns trigger language plpgsql as $$
      begin
        if nextval('waits') = 1 then perform pg_sleep(61); end if;
        return new;
      end $$`)
    await test.database.query(sql`
      create trigger wait_here before insert on thing for each row when (new.name like 'cut %') execute function wait_here()`)
    const both = [insert(`cut ${randomUUID()}`), insert(`cut ${randomUUID()}`)].map((one) =>
      expect(one).rejects.toMatchObject({ code: 'service-unavailable' }),
    )
    await onServer(test.adminUrl, async (client) => {
      const end = `select pg_terminate_backend(pid) from pg_stat_activity
        where wait_event = 'PgSleep' and datname = current_database()`
      await waitFor(async () => (await client.query(end)).rowCount === 1, 'the statement to wait')
    })
    await Promise.all(both)
    await test.database.query(sql`drop trigger wait_here on thing`)
    expect(await names('cut')).toEqual([])
    await insert('reconnected')
  })

  it('write many events with few commits', async () => {
    await changeThings(test.database, thingIds(100, 'grouped'), 1)
    const rows = await test.database.query(sql`select distinct xmin from outbox`)
    expect(rows.length).toBeLessThan(20)
  })
})
