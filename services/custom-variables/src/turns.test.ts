import { setImmediate as nextImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createTurns } from './turns.ts'

describe('turns', () => {
  it('let input and output go on between any two, however many wait at once', async () => {
    const { next } = createTurns()
    const asked = Array.from({ length: 60 }, (_, n) => `${n % 3}`)
    const rounds = await roundsOf(asked.map((storeId) => () => next(storeId)))
    expect(new Set(rounds).size).toBe(asked.length)
  })

  it('are more than a wait for the next immediate, of which the loop runs all that wait in one round', async () => {
    const rounds = await roundsOf(Array.from({ length: 60 }, () => () => nextImmediate()))
    expect(new Set(rounds).size).toBe(1)
  })

  it('go to stores one after the other, and within a store to who came first', async () => {
    const { next } = createTurns()
    const served: string[] = []
    const asked = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']
    await Promise.all(asked.map((name) => next(name.slice(0, 1)).then(() => served.push(name))))
    expect(served).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4'])
  })

  it('are given to those who come while others are served, and after all were', async () => {
    const { next } = createTurns()
    const rounds = await roundsOf([
      async () => {
        await next('a')
        await next('a')
      },
      () => next('b'),
    ])
    expect(new Set(rounds).size).toBe(2)
    await next('a')
  })
})

/** In which round of the event loop each wait ended. */
async function roundsOf(waits: (() => Promise<unknown>)[]): Promise<number[]> {
  let round = 0
  let isOver = false
  const count = () => {
    round += 1
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const rounds = await Promise.all(waits.map((wait) => wait().then(() => round)))
  isOver = true
  return rounds
}
