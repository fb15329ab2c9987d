import type { Sql } from 'sql-template-tag'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import type { Queryable } from '../postgres/index.ts'
import { exportRecords } from './export-records.ts'
import { beforeAll } from './exported.ts'

/** A table of rows, each of this size, that counts how many were loaded. */
function tableOf(count: number, size: (id: number) => number) {
  const loaded: number[] = []
  const query: Queryable['query'] = async <Row>({ values }: Sql) => {
    const [, after, limit] = values.map(Number) as [number, number, number]
    const rows = Array.from({ length: Math.min(limit, count - after) }, (_, index) => {
      const id = after + index + 1
      return { storeId: '1', id: String(id), version: '1', size: size(id) }
    })
    loaded.push(rows.length)
    return rows as Row[]
  }
  const exported = (isLarge: boolean) => ({
    aggregate: 'thing',
    source: sql`thing`,
    columns: sql`*`,
    isLarge,
    encode: (row: object) => new Uint8Array('size' in row ? Number(row.size) : 0),
  })
  return { database: { query }, exported, loaded }
}

describe('an export', () => {
  it.each([true, false])('contains every record once and says whether there are more (large: %s)', async (isLarge) => {
    for (const count of [0, 1, 15, 16, 17, 48, 99, 100, 101, 250]) {
      const { database, exported } = tableOf(count, () => 10)
      const ids: number[] = []
      for (let after = beforeAll, more = true; more; ) {
        const part = await exportRecords(database, exported(isLarge), after, 100)
        expect(part.more).toBe(ids.length + part.records.length < count)
        ids.push(...part.records.map(({ id }) => Number(id)))
        after = part.records.at(-1) ?? after
        more = part.more
      }
      expect(ids).toEqual(Array.from({ length: count }, (_, index) => index + 1))
    }
  })

  it('loads few records at a time if they are large, however small those before are', async () => {
    const { database, exported, loaded } = tableOf(2000, (id) => (id <= 100 ? 10 : 512 * 1024))
    const { records, more } = await exportRecords(database, exported(true), beforeAll, 1000)
    expect({ count: records.length, more }).toEqual({ count: 103, more: true })
    expect(Math.max(...loaded)).toBeLessThanOrEqual(64)
    expect(loaded.reduce((sum, rows) => sum + rows, 0)).toBeLessThan(200)
    // Negative control.
    await exportRecords(database, exported(false), beforeAll, 1000)
    expect(loaded.at(-1)).toBe(1001)
  })
})
