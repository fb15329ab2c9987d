import sql, { raw } from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { cellOf } from '../src/flake/index.ts'
import { createDatabase, runMigrations } from '../src/postgres/index.ts'
import { createFlakeIds, type FlakeIds } from '../src/write/index.ts'
import { createTestDatabase as createBareDatabase, onServer } from '../testing/test-database.ts'
import { createTestDatabase, silentLog, type TestDatabase, thingMigrations } from './harness.ts'

const epochMs = 1645568542000n

/** 32 to 63 for the ranges of processes; less for ids that Postgres creates. */
const rangeOf = (id: string) => Number((BigInt(id) >> 6n) & 63n)

async function take(ids: FlakeIds, count: number): Promise<string[]> {
  return await Promise.all(Array.from({ length: count }, () => ids.next()))
}

describe('the ids of processes', () => {
  let test: TestDatabase

  beforeAll(async () => {
    test = await createTestDatabase({ nodeNumber: 5 })
  })
  beforeEach(async () => {
    await test.database.query(sql`update flake_lease set reserved_until = 0`)
  })
  afterAll(() => test.drop())

  const timeOf = (id: string) => Number((BigInt(id) >> 22n) + epochMs)
  const nodeOf = (id: string) => Number((BigInt(id) >> 12n) & 1023n)

  it('are unique over 16 processes and the ids that Postgres creates', async () => {
    const processes = Array.from({ length: 16 }, () => createFlakeIds(test.database))
    const ofPostgres = test.database.query<{ id: string }>(sql`select flake_id() as id from generate_series(1, 2000)`)
    const taken = await Promise.all(processes.map((ids) => take(ids, 2000)))
    const all = [...taken.flat(), ...(await ofPostgres).map(({ id }) => id)]
    expect(new Set(all).size).toBe(34_000)
    expect(new Set(taken.flat().map(rangeOf)).size).toBe(16)
    expect(new Set(all.map(nodeOf))).toEqual(new Set([5]))
  })

  it('strictly increase in a process and contain the time, with one statement a minute', async () => {
    const query = vi.fn(test.database.query)
    const ids = createFlakeIds({ query: query as typeof test.database.query })
    const before = Date.now()
    const first = await ids.next()
    const rest = await take(ids, 50)
    const last = await ids.next()
    const after = Date.now()
    const all = [first, ...rest, last].map(BigInt)
    expect(all.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(all)
    expect(timeOf(first)).toBeGreaterThanOrEqual(before - 1)
    expect(timeOf(last)).toBeLessThanOrEqual(after + 1)
    expect(query).toHaveBeenCalledTimes(1)
  })

  it('never come from a range that has ended, which another process may have reserved', async () => {
    const [clock] = [vi.spyOn(performance, 'now')]
    try {
      const suspended = createFlakeIds(test.database)
      const before = await suspended.next()
      // Its range ends, and 32 other processes take all ranges.
      clock.mockReturnValue(performance.now() + 60_000)
      await test.database.query(sql`update flake_lease set reserved_until = reserved_until - 60000`)
      const others = await Promise.all(Array.from({ length: 32 }, () => createFlakeIds(test.database).next()))
      const after = await suspended.next()
      expect(new Set(others.map(rangeOf)).size).toBe(32)
      expect(new Set([before, after, ...others]).size).toBe(34)
      // A process without a range queries Postgres.
      expect(rangeOf(after)).toBeLessThan(32)
    } finally {
      clock.mockRestore()
    }
  })

  it('come from a new range when the process has used up the time of one', async () => {
    const ids = createFlakeIds(test.database)
    const first = await ids.next()
    const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 61_000)
    const next = await ids.next()
    clock.mockRestore()
    expect(rangeOf(next)).not.toBe(rangeOf(first))
    expect(BigInt(next)).toBeGreaterThan(BigInt(first))
  })

  it('continue to increase, with one statement a minute, after the clock of the database has fallen back', async () => {
    const aheadMs = 300_000
    let statements = 0
    const query = async (statement: Parameters<typeof test.database.query>[0]) => {
      statements += 1
      const rows = await test.database.query<{ lowBits?: number; from?: string }>(statement)
      if (statements > 1) return rows
      await test.database.query(sql`
        update flake_lease set reserved_until = reserved_until + ${aheadMs} where low_bits = ${rows[0]?.lowBits}`)
      return rows.map((row) => ({ ...row, from: String(Number(row.from) + aheadMs) }))
    }
    const ids = createFlakeIds({ query: query as typeof test.database.query })
    const before = await ids.next()
    const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 61_000)
    const after = await take(ids, 200)
    clock.mockRestore()
    const all = [before, ...after].map(BigInt)
    expect(all.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(all)
    expect(new Set(after.map(rangeOf)).size).toBe(1)
    expect(rangeOf(after[0] ?? '0')).toBeGreaterThanOrEqual(32)
    expect(statements).toBe(2)
  })

  it('come from Postgres after a promotion, until all ranges of the former primary have ended', async () => {
    const former = createFlakeIds(test.database)
    const before = await take(former, 100)
    // The state of a standby that lacks the reservation.
    await test.database.query(sql`update flake_lease set reserved_until = 0, timeline = 'former'`)
    const query = vi.fn(test.database.query)
    const ids = createFlakeIds({ query: query as typeof test.database.query })
    const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now())
    const ofPostgres = await take(ids, 100)
    clock.mockRestore()
    // One attempt to reserve a range, not one for each id.
    expect(query).toHaveBeenCalledTimes(101)
    const all = [...before, ...ofPostgres, ...(await take(former, 100))]
    expect(new Set(all).size).toBe(300)
    expect(ofPostgres.map(rangeOf).filter((range) => range >= 32)).toEqual([])

    // The clock of the former primary may have been ahead, so the longest possible range is not enough.
    await test.database.query(sql`update flake_lease set reserved_until = reserved_until - 60000`)
    expect(rangeOf(await createFlakeIds(test.database).next())).toBeLessThan(32)
    await test.database.query(sql`update flake_lease set reserved_until = reserved_until - 60000`)
    const [first, second] = await Promise.all([
      createFlakeIds(test.database).next(),
      createFlakeIds(test.database).next(),
    ])
    expect(new Set([first, second].map(rangeOf)).size).toBe(2)
    expect(Math.min(...[first, second].map(rangeOf))).toBeGreaterThanOrEqual(32)
  })
})

it('are reserved on servers that hide their log, such as Amazon Aurora, and several hosts are searched there', async () => {
  const test = await createBareDatabase(['hidden'])
  onTestFinished(() => test.drop())
  const url = test.urlOf('hidden')
  const hidden = ['pg_current_wal_lsn()', 'pg_control_checkpoint()', 'pg_control_system()', 'pg_control_recovery()']
  await onServer(test.adminUrl, async (admin) => {
    for (const name of hidden) await admin.query(`revoke execute on function ${name} from public`)
  })
  const options = { url, schema: 'hidden', directory: thingMigrations, cell: 0, nodeNumber: 5, log: silentLog }
  await runMigrations(options)
  const { host } = new URL(url)
  const database = createDatabase({
    url: url.replace(host, `127.0.0.1:1,${host}`),
    applicationName: 'test',
    timeLimitFactor: 10,
    log: silentLog,
  })
  onTestFinished(() => database.close())
  const all = await take(createFlakeIds(database), 100)
  expect(new Set(all).size).toBe(100)
  expect(Math.min(...all.map(rangeOf))).toBeGreaterThanOrEqual(32)
  expect(await database.query(sql`select distinct timeline from flake_lease`)).toEqual([{ timeline: '' }])
  // Negative control: the service's role may not call them.
  for (const name of hidden)
    await expect(database.query(raw(`select ${name}`))).rejects.toThrow('permission denied for function')
})

describe('the ids of two cells', () => {
  const cells: TestDatabase[] = []

  beforeAll(async () => {
    for (const cell of [0, 63]) cells.push(await createTestDatabase({ cell, nodeNumber: 5 }))
  })
  afterAll(async () => {
    for (const { drop } of cells) await drop()
  })

  const withoutCell = (id: string) => String(BigInt(id) & ~(63n << 16n))

  /** Expects that only the cell makes the ids unique: both databases create them for the same times and counters. */
  function expectUniqueByCell(first: string[], last: string[]): void {
    expect(last.map(withoutCell)).toEqual(first.map(withoutCell))
    expect(new Set([...first, ...last]).size).toBe(first.length + last.length)
    expect(new Set(first.map(cellOf))).toEqual(new Set([0]))
    expect(new Set(last.map(cellOf))).toEqual(new Set([63]))
  }

  it('never collide when Postgres creates them', async () => {
    const ahead = (BigInt(Date.now()) + 3_600_000n - epochMs) << 11n
    const [first = [], last = []] = await Promise.all(
      cells.map(async ({ database }) => {
        await database.query(sql`select setval('flake_tick', ${ahead.toString()}::bigint)`)
        const rows = await database.query<{ id: string }>(sql`select flake_id() as id from generate_series(1, 3000)`)
        return rows.map(({ id }) => id)
      }),
    )
    expectUniqueByCell(first, last)
  })

  it('never collide when processes create them', async () => {
    const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now())
    const [first = [], last = []] = await Promise.all(
      cells.map(async ({ database }) => {
        const query = async (statement: Parameters<typeof database.query>[0]) =>
          (await database.query<{ from?: string }>(statement)).map((row) => ({ ...row, from: '123456789' }))
        const ids = createFlakeIds({ query: query as typeof database.query })
        const taken: string[] = []
        for (let count = 0; count < 3000; count += 1) taken.push(await ids.next())
        return taken
      }),
    )
    clock.mockRestore()
    expectUniqueByCell(first, last)
  })
})
