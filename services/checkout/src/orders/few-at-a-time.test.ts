import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { fewAtATime } from './few-at-a-time.ts'

const items = Array.from({ length: 100 }, (_, index) => index)

describe('a few at a time', () => {
  it('answers for each item, in order, and has at most eight under way', async () => {
    let underWay = 0
    let most = 0
    const results = await fewAtATime(items, async (item) => {
      underWay += 1
      most = Math.max(most, underWay)
      // Those that come later are done earlier.
      for (let turns = item % 8; turns < 8; turns += 1) await setImmediate()
      underWay -= 1
      return item * 2
    })
    expect(results).toEqual(items.map((item) => item * 2))
    expect(most).toBe(8)
    expect(await fewAtATime([], () => Promise.reject(new Error('never run')))).toEqual([])
  })

  it('begins nothing after a failure, which it throws', async () => {
    const begun: number[] = []
    const all = fewAtATime(items, async (item) => {
      begun.push(item)
      await setImmediate()
      if (item === 3) throw new Error('of item 3')
    })
    await expect(all).rejects.toThrow('of item 3')
    for (let turns = 0; turns < 5; turns += 1) await setImmediate()
    expect(begun.length).toBeLessThan(20)
  })
})
