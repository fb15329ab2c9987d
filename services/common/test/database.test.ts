import sql, { raw } from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { createDatabase } from '../src/postgres/index.ts'
import { onServer } from '../testing/test-database.ts'
import { silentLog, waitFor } from './harness.ts'
import { useDatabase } from './use-database.ts'

const setup = useDatabase()
const { untilSleeping } = setup

describe('the database', () => {
  it('returns ids as strings, timestamps as dates in milliseconds, and parsed json', async () => {
    const [row] = await setup.test.database.query(sql`
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
    const [row] = await setup.test.database.query<{ value: unknown }>(sql`select ${raw(expression)} as value`)
    const [plain] = await onServer(setup.test.url, async (client) => {
      await client.query(`set timezone to 'UTC'`)
      return (await client.query<{ value: unknown }>(`select ${expression} as value`)).rows
    })
    const milliseconds = (value: unknown) => (value instanceof Date ? Math.floor(value.getTime()) : value)
    expect(milliseconds(row?.value)).toEqual(milliseconds(plain?.value))
  })

  it('returns texts of every script and length from results of several chunks', async () => {
    const pieces = ['a', 'é', '日本', '😀', "'"]
    const rows = await setup.test.database.query<{ n: number; texts: string[] }>(sql`
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
    const read = () => setup.test.database.scans().query(sql`select * from changing`)
    await setup.test.database.query(sql`create table changing as select 1 as n, 'a' as text`)
    expect(await read()).toEqual([{ n: 1, text: 'a' }])
    await setup.test.database.query(sql`alter table changing alter n type text using 'é' || n, add more int default 7`)
    // Postgres rejects a prepared statement whose columns have changed, on the connection that has prepared it.
    await expect(read()).rejects.toThrow()
    const other = createDatabase({ url: setup.test.url, applicationName: 'test', log: silentLog })
    expect(await other.query(sql`select * from changing`)).toEqual([{ n: 'é1', text: 'a', more: 7 }])
    await other.close()
  })

  it('returns the right result for each of many concurrent statements', async () => {
    const answers = await Promise.all(
      Array.from({ length: 500 }, (_, n) => setup.test.database.query<{ n: number }>(sql`select ${n}::int as n`)),
    )
    expect(answers.map(([row]) => row?.n)).toEqual(Array.from({ length: 500 }, (_, n) => n))
  })

  it('fails only the failing one of several concurrent statements', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 50 }, (_, n) => setup.test.database.query(sql`select 1 / ${n % 2}::int as answer`)),
    )
    expect(outcomes.map(({ status }) => status)).toEqual(
      Array.from({ length: 50 }, (_, n) => (n % 2 === 0 ? 'rejected' : 'fulfilled')),
    )
  })

  it('does not let slow statements delay others', async () => {
    const order: string[] = []
    const slow = Promise.all(
      [1, 2].map(() => setup.test.database.query(sql`select pg_sleep(1)`).then(() => order.push('slow'))),
    )
    await onServer(setup.test.adminUrl, (client) =>
      waitFor(async () => {
        const found = await client.query(`select from pg_stat_activity where application_name = 'test'
          and query like '%pg_sleep%' and query_start < clock_timestamp() - interval '50 ms'`)
        return found.rowCount === 2
      }, 'both to be considered slow'),
    )
    await setup.test.database.query(sql`select 1`).then(() => order.push('quick'))
    await slow
    expect(order).toEqual(['quick', 'slow', 'slow'])
  })

  it('serves statements while scans are running, and rejects scans that get no connection', async () => {
    const order: string[] = []
    const scans = Promise.allSettled(
      Array.from({ length: 8 }, () =>
        setup.test.database
          .scans()
          .query(sql`select pg_sleep(1.6)`)
          .then(() => order.push('scan')),
      ),
    )
    await onServer(setup.test.adminUrl, (client) =>
      waitFor(async () => {
        const found = await client.query(`select from pg_stat_activity where application_name = 'test'
          and state = 'active' and query like '%pg_sleep(1.6)%'`)
        return found.rowCount === 3
      }, 'the maximum number of scans to run'),
    )
    await setup.test.database.query(sql`select 1`)
    await setup.test.database.transaction((tx) => tx.query(sql`select 1`))
    expect(order).toEqual([])
    const outcomes = await scans
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'service-unavailable' })
    }
  })

  it('ends a scan that takes too long, also on the server, and serves the next one', async () => {
    const endless = Array.from({ length: 3 }, () => setup.test.database.scans().query(sql`select pg_sleep(60)`))
    for (const outcome of await Promise.allSettled(endless)) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'service-unavailable' } })
    }
    expect(await setup.test.database.scans().query(sql`select 1 as one`)).toEqual([{ one: 1 }])
    await untilSleeping(60, 0)
  })

  it('ends a scan when its caller leaves, and only then', async () => {
    const ended: string[] = []
    const caller = new AbortController()
    // Negative control: without a signal the scan runs until its time limit.
    const other = setup.test.database
      .scans()
      .query(sql`select pg_sleep(61)`)
      .catch(() => ended.push('time limit'))
    await untilSleeping(61, 1)
    const canceled = setup.test.database
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
    const victim = createDatabase({ url: setup.test.url, applicationName: 'victim', log: silentLog })
    try {
      await victim.ping()
      const cut = victim.transaction(async (tx) => {
        const statement = tx.query(sql`select pg_sleep(10)`)
        statement.catch(() => {})
        const single = expect(victim.query(sql`select pg_sleep(10)`)).rejects.toMatchObject({
          code: 'service-unavailable',
        })
        await onServer(setup.test.adminUrl, async (client) => {
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
