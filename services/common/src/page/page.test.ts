import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutPage, type PagePlan, planPage, readInParts } from './page.ts'

describe('a page', () => {
  const ids = Array.from({ length: 20 }, (_, n) => n * 10 + 10)

  function read(page: Parameters<typeof planPage>[0]): { ids: number[]; hasNext: boolean; hasPrevious: boolean } {
    const plan = planPage(page)
    const { rows, info } = cutPage(plan, query(plan))
    return { ids: rows, ...info }
  }

  function query(plan: PagePlan): number[] {
    const inside = ids.filter((id) => BigInt(id) > BigInt(plan.above) && BigInt(id) < BigInt(plan.below))
    return (plan.ascending ? inside : inside.reverse()).slice(0, plan.take)
  }

  it('contains the newest 50 by default', () => {
    expect(planPage()).toMatchObject({ take: 51, ascending: false, reversed: false })
  })

  it('contains what follows `after` or precedes `before`, nearest first, in the chosen order', () => {
    expect(read({ limit: 2, asc: true, after: '30' })).toEqual({ ids: [40, 50], hasNext: true, hasPrevious: true })
    expect(read({ limit: 2, asc: false, after: '30' })).toEqual({ ids: [20, 10], hasNext: false, hasPrevious: true })
    expect(read({ limit: 2, asc: true, before: '55' })).toEqual({ ids: [40, 50], hasNext: true, hasPrevious: true })
    expect(read({ limit: 2, asc: false, before: '185' })).toEqual({
      ids: [200, 190],
      hasNext: true,
      hasPrevious: false,
    })
  })

  it('matches the definition for all limits, cursors and orders', () => {
    const cursor = fc.option(fc.integer({ min: 1, max: 220 }), { nil: undefined })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 25 }), cursor, cursor, fc.boolean(), (limit, after, before, asc) => {
        const ordered = asc ? ids : [...ids].reverse()
        const follows = (id: number, other: number) => (asc ? id > other : id < other)
        const inside = ordered.filter(
          (id) => (after === undefined || follows(id, after)) && (before === undefined || follows(before, id)),
        )
        const fromEnd = before !== undefined && after === undefined
        const page = { limit, asc, after: after?.toString(), before: before?.toString() }
        expect(read(page as Parameters<typeof planPage>[0]).ids).toEqual(
          fromEnd ? inside.slice(-limit) : inside.slice(0, limit),
        )
      }),
    )
  })

  it.each([
    [true, 'after'],
    [true, 'before'],
    [false, 'after'],
    [false, 'before'],
  ] as const)('is shortened for large rows and continues until all are read (asc %s, %s)', (asc, direction) => {
    const long = ids.map((id) => ({ id, text: 'ü'.repeat(id === 80 ? 3_000_000 : 500_000) }))
    const seen: number[] = []
    let cursor: number | undefined = direction === 'before' ? (asc ? 999 : 1) : undefined
    for (let more = true; more; ) {
      const plan = planPage({ limit: 100, asc, ...(cursor !== undefined && { [direction]: cursor.toString() }) })
      const { rows, info } = cutPage(
        plan,
        query(plan).flatMap((id) => long.filter((row) => row.id === id)),
      )
      expect(rows.length).toBeGreaterThan(0)
      expect(rows.length === 1 || rows.reduce((sum, { text }) => sum + 2 * text.length, 0) < 4 * 1024 * 1024).toBe(true)
      expect(info.hasPrevious || info.hasNext).toBe(true)
      const page = rows.map(({ id }) => id)
      seen.push(...(direction === 'before' ? page.reverse() : page))
      cursor = seen.at(-1)
      more = direction === 'before' ? info.hasPrevious : info.hasNext
    }
    expect(seen).toEqual(asc === (direction === 'after') ? ids : [...ids].reverse())
  })

  describe('of large records', () => {
    /** Reads a page in parts. @returns also how many rows each part had */
    async function readParts(page: Parameters<typeof planPage>[0], count: number, bytes: (id: number) => number) {
      const plan = planPage(page)
      const parts: number[] = []
      const rows = await readInParts(plan, async (part) => {
        const read = rowsOf(part, count, bytes)
        parts.push(read.length)
        return read
      })
      const { rows: kept, info } = cutPage(plan, rows)
      return { ids: kept.map(({ id }) => Number(id)), info, parts }
    }

    function rowsOf({ above, below, ascending, take }: PagePlan, count: number, bytes: (id: number) => number) {
      const all = Array.from({ length: count }, (_, index) => index + 1)
      const inside = all.filter((id) => id > Number(above) && id < Number(below))
      const read = (ascending ? inside : inside.reverse()).slice(0, take)
      return read.map((id) => ({ id: String(id), text: 'x'.repeat(bytes(id)) }))
    }

    it('has the rows of one read, for all limits, cursors, orders and sizes', async () => {
      const cursor = fc.option(fc.integer({ min: 1, max: 160 }), { nil: undefined })
      const limits = fc.integer({ min: 1, max: 100 })
      const sizes = fc.array(fc.constantFrom(1, 40_000, 230_000), { minLength: 1, maxLength: 30 })
      const counts = fc.integer({ min: 0, max: 150 })
      await fc.assert(
        fc.asyncProperty(limits, cursor, cursor, fc.boolean(), counts, sizes, async (...given) => {
          const [limit, after, before, asc, count, bytes] = given
          const page = { limit, asc, after: after?.toString(), before: before?.toString() }
          const bytesOf = (id: number) => bytes[id % bytes.length] ?? 0
          const { ids, info } = await readParts(page as Parameters<typeof planPage>[0], count, bytesOf)
          const plan = planPage(page as Parameters<typeof planPage>[0])
          const whole = cutPage(plan, rowsOf(plan, count, bytesOf))
          expect({ ids, info }).toEqual({ ids: whole.rows.map(({ id }) => Number(id)), info: whole.info })
        }),
      )
    })

    it('takes two reads at most if the records are small, and one if 16 contain it', async () => {
      for (const [limit, parts] of [
        [15, [16]],
        [50, [16, 35]],
        [100, [16, 85]],
      ] as const) {
        expect((await readParts({ limit, asc: false }, 500, () => 20_000)).parts).toEqual(parts)
      }
    })

    it('loads few rows more than it shows', async () => {
      const { ids, info, parts } = await readParts({ limit: 100, asc: true }, 500, () => 512 * 1024)
      expect({ shown: ids.length, ...info }).toEqual({ shown: 7, hasNext: true, hasPrevious: false })
      expect(parts).toEqual([16])
      const slightlySmaller = await readParts({ limit: 100, asc: true }, 500, () => 230_000)
      expect(slightlySmaller.ids).toHaveLength(18)
      expect(slightlySmaller.parts).toEqual([16, 4])
    })
  })

  it('rejects limits outside 1 to 100 and malformed ids, and names each', () => {
    const wrong = (page: Parameters<typeof planPage>[0]) => {
      try {
        planPage(page)
      } catch (error) {
        return (error as { violations: { path: string; validation: string }[] }).violations.map(
          (one) => `${one.path} ${one.validation}`,
        )
      }
      return []
    }
    expect(wrong({ limit: 0, asc: false })).toEqual(['limit min'])
    expect(wrong({ limit: 101, asc: false, after: 'x', before: '-1' })).toEqual([
      'limit max',
      'after format',
      'before format',
    ])
    expect(wrong({ limit: 100, asc: false })).toEqual([])
  })
})
