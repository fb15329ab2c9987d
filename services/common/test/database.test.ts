import sql, { raw } from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createDatabase,
  isUniqueViolation,
  limitTransactions,
  type Transaction,
  timeLimits,
} from '../src/postgres/index.ts'
import { changeTimeLimits, onServer } from '../testing/test-database.ts'
import { createTestDatabase, silentLog, type TestDatabase, waitFor } from './harness.ts'

describe('the database', () => {
  let test: TestDatabase
  beforeAll(async () => {
    test = await createTestDatabase({ timeLimitFactor: 1 })
  })
  afterAll(() => test.drop())

  function names(): Promise<string[]> {
    return test.database
      .query<{ name: string }>(sql`select name from thing order by name`)
      .then((rows) => rows.map(({ name }) => name))
  }

  async function untilSleeping(seconds: number, count: number): Promise<void> {
    const running = `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
      and query like '%pg_sleep(${seconds})%' and state = 'active'`
    await onServer(test.adminUrl, (client) =>
      waitFor(async () => (await client.query(running)).rowCount === count, `${count} scans to run`),
    )
  }

  it('returns ids as strings, timestamps as dates in milliseconds, and parsed json', async () => {
    const [row] = await test.database.query(sql`
      select 9223372036854775807::bigint as id, '2026-01-02 03:04:05.678912+00'::timestamptz as at,
        '0044-03-15 12:00:00+00 BC'::timestamptz as long_ago, date '2026-01-02' as day, '{"a":[1]}'::jsonb as json`)
    expect(row).toMatchObject({ id: '9223372036854775807', day: '2026-01-02', json: { a: [1] } })
    expect(row?.at).toEqual(new Date('2026-01-02T03:04:05.678Z'))
    expect(row?.long_ago).toEqual(new Date('-000043-03-15T12:00:00Z'))
  })

  it.each([
    `'2026-01-02 03:04:05+00'::timestamptz`,
    `'2026-01-02 03:04:05.5+00'::timestamptz`,
    `'0001-01-01 00:00:00+00'::timestamptz`,
    `'9999-12-31 23:59:59.999999+00'::timestamptz`,
    `'1969-12-31 23:59:59.25+00'::timestamptz`,
    `'2000-02-29 00:00:00.001+00'::timestamptz`,
    `'1900-03-01 12:00:00+00'::timestamptz`,
    `null::timestamptz`,
    `null::int`,
    `2147483647`,
    `'-2147483648'::int`,
    `'-32768'::smallint`,
    `12345678901234567890.125`,
    `0.1::float8`,
    `'é😀'::varchar(5)`,
    `repeat('日本', 40)`,
    `repeat('x', 200000)`,
    `gen_random_uuid() is null`,
    `array['é', null, '"']`,
    `'\\xff00'::bytea`,
    `'{"a":"é"}'::jsonb`,
    `'10000-01-01 00:00:00+00'::timestamptz`,
    `'infinity'::timestamptz`,
    `true`,
    `false`,
    `'{}'::bigint[]`,
    `'{9223372036854775807,-1}'::bigint[]`,
    `'{1,null}'::bigint[]`,
    `'{{1,2},{3,4}}'::bigint[]`,
  ])('parses %s as pg does', async (expression) => {
    const [row] = await test.database.query<{ value: unknown }>(sql`select ${raw(expression)} as value`)
    const [plain] = await onServer(test.url, async (client) => {
      await client.query(`set timezone to 'UTC'`)
      return (await client.query<{ value: unknown }>(`select ${expression} as value`)).rows
    })
    const milliseconds = (value: unknown) => (value instanceof Date ? Math.floor(value.getTime()) : value)
    expect(milliseconds(row?.value)).toEqual(milliseconds(plain?.value))
  })

  it('returns texts of every script and length from results of several chunks', async () => {
    const pieces = ['a', 'é', '日本', '😀', "'"]
    const rows = await test.database.query<{ n: number; texts: string[] }>(sql`
      select n, n::text as id, piece, repeat(piece, n % 90) as long, null as nothing, repeat(piece, n % 7) as short
      from generate_series(1, 3000) n, lateral (select (${pieces}::text[])[n % 5 + 1] as piece) of_n order by n`)
    const expected = Array.from({ length: 3000 }, (_, index) => {
      const n = index + 1
      const piece = pieces[n % 5] ?? ''
      return { n, id: String(n), piece, long: piece.repeat(n % 90), nothing: null, short: piece.repeat(n % 7) }
    })
    expect(rows).toEqual(expected)
  })

  it('reads the columns that each execution returns, regardless of earlier columns of the same name', async () => {
    const read = () => test.database.scans().query(sql`select * from changing`)
    await test.database.query(sql`create table changing as select 1 as n, 'a' as text`)
    expect(await read()).toEqual([{ n: 1, text: 'a' }])
    await test.database.query(sql`alter table changing alter n type text using 'é' || n, add more int default 7`)
    // Postgres rejects a prepared statement whose columns have changed, on the connection that has prepared it.
    await expect(read()).rejects.toThrow()
    const other = createDatabase({ url: test.url, applicationName: 'test', log: silentLog })
    expect(await other.query(sql`select * from changing`)).toEqual([{ n: 'é1', text: 'a', more: 7 }])
    await other.close()
  })

  it('returns the right result for each of many concurrent statements', async () => {
    const answers = await Promise.all(
      Array.from({ length: 500 }, (_, n) => test.database.query<{ n: number }>(sql`select ${n}::int as n`)),
    )
    expect(answers.map(([row]) => row?.n)).toEqual(Array.from({ length: 500 }, (_, n) => n))
  })

  it('fails only the failing one of several concurrent statements', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 50 }, (_, n) => test.database.query(sql`select 1 / ${n % 2}::int as answer`)),
    )
    expect(outcomes.map(({ status }) => status)).toEqual(
      Array.from({ length: 50 }, (_, n) => (n % 2 === 0 ? 'rejected' : 'fulfilled')),
    )
  })

  it('does not let slow statements delay others', async () => {
    const order: string[] = []
    const slow = Promise.all(
      [1, 2].map(() => test.database.query(sql`select pg_sleep(1)`).then(() => order.push('slow'))),
    )
    await onServer(test.adminUrl, (client) =>
      waitFor(async () => {
        const found = await client.query(`select from pg_stat_activity where application_name = 'test'
          and query like '%pg_sleep%' and query_start < clock_timestamp() - interval '50 ms'`)
        return found.rowCount === 2
      }, 'both to be considered slow'),
    )
    await test.database.query(sql`select 1`).then(() => order.push('quick'))
    await slow
    expect(order).toEqual(['quick', 'slow', 'slow'])
  })

  it('serves statements while scans are running, and rejects scans that get no connection', async () => {
    const order: string[] = []
    const scans = Promise.allSettled(
      Array.from({ length: 8 }, () =>
        test.database
          .scans()
          .query(sql`select pg_sleep(1.6)`)
          .then(() => order.push('scan')),
      ),
    )
    await onServer(test.adminUrl, (client) =>
      waitFor(async () => {
        const found = await client.query(`select from pg_stat_activity where application_name = 'test'
          and state = 'active' and query like '%pg_sleep(1.6)%'`)
        return found.rowCount === 3
      }, 'the maximum number of scans to run'),
    )
    await test.database.query(sql`select 1`)
    await test.database.transaction((tx) => tx.query(sql`select 1`))
    expect(order).toEqual([])
    const outcomes = await scans
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'service-unavailable' })
    }
  })

  it('ends a scan that takes too long, also on the server, and serves the next one', async () => {
    const endless = Array.from({ length: 3 }, () => test.database.scans().query(sql`select pg_sleep(60)`))
    for (const outcome of await Promise.allSettled(endless)) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'service-unavailable' } })
    }
    expect(await test.database.scans().query(sql`select 1 as one`)).toEqual([{ one: 1 }])
    await untilSleeping(60, 0)
  })

  it('commits a transaction, then calls afterCommit, and returns its result', async () => {
    const committed: string[] = []
    const result = await test.database.transaction(async (tx) => {
      tx.afterCommit(() => committed.push('called'))
      await Promise.all(['a', 'b'].map((name) => tx.query(sql`insert into thing (name) values (${name})`)))
      expect(committed).toEqual([])
      return 42
    })
    expect([result, committed, await names()]).toEqual([42, ['called'], ['a', 'b']])
  })

  it('rolls back a transaction that throws, without calling afterCommit', async () => {
    const committed: string[] = []
    const work = test.database.transaction(async (tx) => {
      tx.afterCommit(() => committed.push('called'))
      await tx.query(sql`insert into thing (name) values ('c')`)
      throw new Error('rollback')
    })
    await expect(work).rejects.toThrow('rollback')
    expect([committed, await names()]).toEqual([[], ['a', 'b']])
  })

  it('fails a transaction with a failed statement whose error was ignored', async () => {
    const work = test.database.transaction(async (tx) => {
      await tx.query(sql`insert into thing (name) values ('d')`)
      await tx.query(sql`select nonsense`).catch(() => {})
    })
    await expect(work).rejects.toThrow('rolled back')
    expect(await names()).toEqual(['a', 'b'])
  })

  it('executes statements queued for the commit, even if there are no others', async () => {
    await test.database.transaction(async (tx) => tx.enqueueBeforeCommit(sql`insert into thing (name) values ('late')`))
    await test.database.transaction(async (tx) => {
      tx.enqueueBeforeCommit(sql`update thing set name = 'later' where name = 'late'`)
      tx.enqueueBeforeCommit(sql`delete from thing where name = 'later'`)
      expect(await tx.query(sql`select name from thing where name = 'late'`)).toHaveLength(1)
    })
    expect(await names()).toEqual(['a', 'b'])
    await test.database.transaction(async () => 'nothing at all')
  })

  it('rolls back when a statement queued for the commit fails', async () => {
    const committed: string[] = []
    const work = test.database.transaction(async (tx) => {
      tx.afterCommit(() => committed.push('called'))
      await tx.query(sql`insert into thing (name) values ('c')`)
      tx.enqueueBeforeCommit(sql`insert into thing (name) values ('a')`)
      tx.enqueueBeforeCommit(sql`insert into thing (name) values ('d')`)
    })
    await expect(work).rejects.toSatisfy((error) => isUniqueViolation(error, 'thing_name_key'))
    expect([committed, await names()]).toEqual([[], ['a', 'b']])
  })

  it('rejects statements of a transaction that has ended', async () => {
    const tx = await test.database.transaction(async (tx) => tx)
    await expect(tx.query(sql`select 1`)).rejects.toThrow('has ended')
  })

  it('identifies the violated unique constraint', async () => {
    const error = await test.database.query(sql`insert into thing (name) values ('a')`).catch((e: unknown) => e)
    expect(isUniqueViolation(error)).toBe(true)
    expect(isUniqueViolation(error, 'thing_name_key')).toBe(true)
    expect(isUniqueViolation(error, 'thing_pkey')).toBe(false)
  })

  it('limits concurrent transactions, whether they succeed or fail', async () => {
    const limited = limitTransactions(test.database, 2)
    let running = 0
    let most = 0
    const work = (n: number) =>
      limited.transaction(async (tx) => {
        running += 1
        most = Math.max(most, running)
        await tx.query(sql`select pg_sleep(0.02)`)
        running -= 1
        if (n % 2 === 0) throw new Error('rollback')
        return n
      })
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, (_, n) => work(n)))
    expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual(
      Array.from({ length: 8 }, (_, n) => n % 2 === 1),
    )
    expect([most, running, await work(9)]).toEqual([2, 0, 9])
  })

  it('rejects a transaction that cannot start in time as unavailable, and continues with the others', async () => {
    const limited = limitTransactions(test.database, 1, { maxWaitMs: 20 })
    const met = rendezvous(2)
    const first = limited.transaction(async () => met())
    await expect(limited.transaction(async () => 'too late')).rejects.toMatchObject({ code: 'service-unavailable' })
    await Promise.all([first, met()])
    expect(await limited.transaction(async () => 'in time')).toBe('in time')
  })

  it('retries deadlocked transactions until both succeed', async () => {
    const met = rendezvous(2)
    let runs = 0
    const swap = (first: string, second: string) =>
      test.database.transaction(async (tx) => {
        runs += 1
        await tx.query(sql`update thing set version = version + 1 where name = ${first}`)
        await met()
        await tx.query(sql`update thing set version = version + 1 where name = ${second}`)
      })
    await Promise.all([swap('a', 'b'), swap('b', 'a')])
    const rows = await test.database.query(sql`select version from thing where name in ('a', 'b')`)
    expect(rows).toEqual([{ version: '3' }, { version: '3' }])
    // Postgres usually aborts one of them; a busy server may abort both.
    expect(runs).toBeGreaterThan(2)
  })

  it('reports statement and lock timeouts as unavailable', async () => {
    await changeTimeLimits(test.url, { statement_timeout: 100, lock_timeout: 50 })
    const impatient = createDatabase({ url: test.url, applicationName: 'impatient', log: silentLog })
    try {
      await expect(impatient.query(sql`select pg_sleep(5)`)).rejects.toMatchObject({ code: 'service-unavailable' })
      await test.database.transaction(async (tx) => {
        await tx.query(sql`update thing set version = 9 where name = 'a'`)
        const blocked = impatient.transaction((other) =>
          other.query(sql`update thing set version = 1 where name = 'a'`),
        )
        await expect(blocked).rejects.toMatchObject({ code: 'service-unavailable' })
      })
      await expect(impatient.ping()).resolves.toBeUndefined()
    } finally {
      await changeTimeLimits(test.url, timeLimits)
      await impatient.close()
    }
  })

  it('ends a transaction that waits for a lock when its caller leaves, and only then', async () => {
    const ended: string[] = []
    const rename = (name: string) => (tx: Transaction) =>
      tx.query(sql`update thing set version = version + 1 where name = ${name}`)
    const waiting = (count: number) =>
      waitFor(async () => {
        const rows = await test.database.query(sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
        return rows.length === count
      }, `${count} transactions to wait`)
    const caller = new AbortController()
    await test.database.transaction(async (tx) => {
      await tx.query(sql`update thing set version = 0`)
      // Negative control: without a signal the transaction waits until its lock timeout.
      const other = test.database.transaction(rename('a')).catch(() => ended.push('lock timeout'))
      await waiting(1)
      const canceled = test.database.transaction(rename('b'), caller).finally(() => ended.push('caller left'))
      canceled.catch(() => undefined)
      await waiting(2)
      caller.abort()
      await expect(canceled).rejects.toMatchObject({ code: 'service-unavailable' })
      await other
    })
    expect(ended).toEqual(['caller left', 'lock timeout'])
    const late = test.database.transaction(rename('b'), caller)
    await expect(late).rejects.toMatchObject({ code: 'service-unavailable' })
    expect(await test.database.query(sql`select version from thing where name = 'b'`)).toEqual([{ version: '0' }])
  })

  it('ends a scan when its caller leaves, and only then', async () => {
    const ended: string[] = []
    const caller = new AbortController()
    // Negative control: without a signal the scan runs until its time limit.
    const other = test.database
      .scans()
      .query(sql`select pg_sleep(61)`)
      .catch(() => ended.push('time limit'))
    await untilSleeping(61, 1)
    const canceled = test.database
      .scans(caller)
      .query(sql`select pg_sleep(61)`)
      .finally(() => ended.push('caller left'))
    canceled.catch(() => undefined)
    await untilSleeping(61, 2)
    caller.abort()
    await expect(canceled).rejects.toMatchObject({ code: 'service-unavailable' })
    await untilSleeping(61, 1)
    expect(ended).toEqual(['caller left'])
    await other
    expect(ended).toEqual(['caller left', 'time limit'])
  })

  it('sends no statement and no commit of a transaction whose caller has left', async () => {
    for (const leavesFirst of [true, false]) {
      const caller = new AbortController()
      const work = test.database.transaction(async (tx) => {
        if (!leavesFirst) await tx.query(sql`update thing set version = 7 where name = 'b'`)
        caller.abort()
        if (leavesFirst) await tx.query(sql`update thing set version = 7 where name = 'b'`)
      }, caller)
      await expect(work).rejects.toMatchObject({ code: 'service-unavailable' })
    }
    expect(await test.database.query(sql`select version from thing where name = 'b'`)).toEqual([{ version: '0' }])
  })

  it('releases the locks of a transaction whose process is unresponsive', async () => {
    await changeTimeLimits(test.url, { idle_in_transaction_session_timeout: 200 })
    const silent = createDatabase({ url: test.url, applicationName: 'silent', log: silentLog })
    const isFree = async () => {
      const [row] = await test.database.query<{ free: boolean }>(sql`select pg_try_advisory_xact_lock(4711) as free`)
      return row?.free === true
    }
    const work = silent.transaction(async (tx) => {
      await tx.query(sql`select pg_advisory_xact_lock(4711)`)
      expect(await isFree()).toBe(false)
      await waitFor(isFree, 'the lock to be free')
      await tx.query(sql`select 1`)
    })
    await expect(work).rejects.toMatchObject({ code: 'service-unavailable' })
    await changeTimeLimits(test.url, timeLimits)
    await silent.close()
  })

  it('is unavailable when no server listens, without preventing the start', async () => {
    const url = 'postgres://unknown:secret@127.0.0.1:1/nowhere'
    const gone = createDatabase({ url, applicationName: 'gone', log: silentLog })
    await expect(gone.ping()).rejects.toMatchObject({ code: 'service-unavailable' })
    await expect(gone.transaction((tx) => tx.query(sql`select 1`))).rejects.toMatchObject({
      code: 'service-unavailable',
    })
    await gone.close()
  })

  it('reports a broken connection as unavailable and opens a new one', async () => {
    const victim = createDatabase({ url: test.url, applicationName: 'victim', log: silentLog })
    try {
      await victim.ping()
      const cut = victim.transaction(async (tx) => {
        const statement = tx.query(sql`select pg_sleep(10)`)
        statement.catch(() => {})
        const single = expect(victim.query(sql`select pg_sleep(10)`)).rejects.toMatchObject({
          code: 'service-unavailable',
        })
        await onServer(test.adminUrl, async (client) => {
          const running = `from pg_stat_activity where application_name = 'victim' and query like '%sleep%'`
          while ((await client.query(`select 1 ${running}`)).rowCount !== 2);
          await client.query(`select pg_terminate_backend(pid) ${running}`)
        })
        await single
        await statement
      })
      await expect(cut).rejects.toMatchObject({ code: 'service-unavailable' })
      await victim.ping()
      expect(await victim.transaction((tx) => tx.query(sql`select 1 as one`))).toEqual([{ one: 1 }])
    } finally {
      await victim.close()
    }
  })
})

/** Blocks callers until `count` have arrived. */
function rendezvous(count: number): () => Promise<void> {
  const gate = Promise.withResolvers<void>()
  let waiting = 0
  return () => {
    waiting += 1
    if (waiting >= count) gate.resolve()
    return gate.promise
  }
}
