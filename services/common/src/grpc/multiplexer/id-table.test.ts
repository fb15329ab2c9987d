import { describe, expect, it } from 'vitest'
import { promotedBytes } from '../../../testing/promoted-bytes.ts'
import { IdTable } from './id-table.ts'

interface Entry {
  readonly id: number
  readonly payload?: readonly number[]
}

describe('an id table', () => {
  it('has the same entries as a Map, whatever the order of additions and removals', () => {
    let seed = 1
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed % below
    }
    for (const spread of [1, 16, 2 ** 20]) {
      const table = new IdTable<Entry>()
      const map = new Map<number, Entry>()
      for (let step = 0; step < 5000; step += 1) {
        const id = random(200) * spread
        // Grows and shrinks in turns.
        if (random(10) < (step % 1000 < 500 ? 7 : 3)) {
          const entry = { id }
          table.add(entry)
          map.set(id, entry)
        } else {
          expect(table.remove(id)).toBe(map.get(id))
          map.delete(id)
        }
        expect(table.size).toBe(map.size)
        expect(table.get(id)).toBe(map.get(id))
      }
      expect(table.entries().toSorted((a, b) => a.id - b.id)).toEqual([...map.values()].toSorted((a, b) => a.id - b.id))
    }
  })

  it('keeps no removed entry alive after a minor collection, unlike a Map (negative control)', async () => {
    const table = new IdTable<Entry>()
    const map = new Map<number, Entry>()
    const inTable = await leftBehind({ add: (entry) => table.add(entry), remove: (id) => table.remove(id) })
    const inMap = await leftBehind({ add: (entry) => map.set(entry.id, entry), remove: (id) => map.delete(id) })
    expect(inMap).toBeGreaterThan(entryBytes * 30)
    expect(inTable).toBeLessThan(entryBytes * 15)
  })
})

const entryBytes = 8 * 128

/** The bytes that a round of 100 entries leaves behind, 5 of which are present at a time. */
function leftBehind({ add, remove }: { add(entry: Entry): unknown; remove(id: number): unknown }): Promise<number> {
  let last = 0
  return promotedBytes(40, () => {
    for (let count = 0; count < 100; count += 1) {
      last += 1
      add({ id: last, payload: Array.from({ length: 128 }, () => last) })
      remove(last - 5)
    }
  })
}
