import { randomInt } from 'node:crypto'

/**
 * A reproducible random generator. The seed is TEST_SEED or random; tests print it, so that a failure can be
 * reproduced.
 */
export function seededRandom(seed = Number(process.env.TEST_SEED) || randomInt(1, 2 ** 31)): SeededRandom {
  let state = seed >>> 0
  // Mulberry32: small, and uniform enough to choose faults and times.
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    seed,
    below: (limit) => Math.floor(next() * limit),
    pick: (items) => {
      const item = items[Math.floor(next() * items.length)]
      if (item === undefined) throw new RangeError('Cannot pick from an empty list.')
      return item
    },
  }
}

export interface SeededRandom {
  readonly seed: number
  /** An integer from 0 to `limit` - 1. */
  below(limit: number): number
  pick<T>(items: readonly T[]): T
}
