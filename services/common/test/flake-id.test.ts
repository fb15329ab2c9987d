import pg from 'pg'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { provisionSchema, runMigrations } from '../src/postgres/index.ts'
import { createTestDatabase, silentLog, type TestDatabase, thingMigrations } from './harness.ts'

const epochMs = 1645568542000n

describe('flake_id()', () => {
  let test: TestDatabase
  let otherUrl: string

  beforeAll(async () => {
    test = await createTestDatabase({ nodeNumber: 5 })
    const role = `${test.role}_other`
    const url = new URL(test.url)
    url.username = role
    url.password = 'secret'
    otherUrl = url.href
    await provisionSchema({ adminUrl: test.adminUrl, schema: 'other', role, password: 'secret' })
    const migration = { schema: 'other', directory: thingMigrations, cell: 0, nodeNumber: 6, log: silentLog }
    await runMigrations({ url: otherUrl, ...migration })
  })
  afterAll(() => test.drop())

  it('never returns an id twice, over 16 connections of two services at full speed', async () => {
    const ids = await Promise.all(
      [test.url, otherUrl].flatMap((url) => Array.from({ length: 8 }, () => takeIds(url, 5000))),
    )
    expect(new Set(ids.flat()).size).toBe(80_000)
  })

  it('returns increasing ids that contain the time and the node number of the service', async () => {
    const before = BigInt(Date.now())
    const rows = await test.database.query<{ id: string }>(sql`select flake_id() as id from generate_series(1, 100)`)
    const after = BigInt(Date.now())
    const ids = rows.map(({ id }) => BigInt(id))
    expect(ids.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(ids)
    for (const id of ids) {
      const time = (id >> 22n) + epochMs
      expect(time).toBeGreaterThanOrEqual(before - 300n)
      // The migration starts a second ahead, and the burst of the previous test may have borrowed future time.
      expect(time).toBeLessThanOrEqual(after + 1100n)
      expect((id >> 12n) & 1023n).toBe(5n)
    }
  })

  it('does not wait for an open transaction that is moving the sequence', async () => {
    await test.database.transaction(async (tx) => {
      const lock = sql`select pg_try_advisory_xact_lock(hashtext('storekeep.flake'), hashtext('common')) as mine`
      expect(await tx.query(lock)).toEqual([{ mine: true }])
      await test.database.query(sql`select setval('flake_tick', last_value - 2048000) from flake_tick`)
      expect(new Set(await takeIds(test.url, 10)).size).toBe(10)
    })
  })

  it('continues from the last id when the wall clock steps back', async () => {
    const ahead = (BigInt(Date.now() + 3_600_000) - epochMs) * 2048n
    await test.database.query(sql`select setval('flake_tick', ${ahead.toString()}::bigint)`)
    const ids = await takeIds(test.url, 3)
    expect(ids.map((id) => (BigInt(id) >> 22n) + epochMs).every((ms) => ms > BigInt(Date.now() + 3_500_000))).toBe(true)
    expect(new Set(ids).size).toBe(3)
  })
})

async function takeIds(url: string, count: number): Promise<string[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ id: string }>('select flake_id() as id from generate_series(1, $1)', [count])
  await client.end()
  return rows.map(({ id }) => id)
}
