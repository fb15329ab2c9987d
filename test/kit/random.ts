import { randomInt } from 'node:crypto'

/**
 * Reproducible chance for fault tests: the seed is taken from TEST_SEED, else drawn, and belongs into what the test
 * prints, so that a failed run can be repeated.
 */
export function seededRandom(seed = Number(process.env.TEST_SEED) || randomInt(1, 2 ** 31)): SeededRandom {
  let state = seed >>> 0
  // Mulberry32: small, and even enough to choose faults and moments.
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
      if (item === undefined) throw new RangeError('There is nothing to pick from.')
      return item
    },
  }
}

export interface SeededRandom {
  readonly seed: number
  /** A whole number from 0 up to, not including, `limit`. */
  below(limit: number): number
  pick<T>(items: readonly T[]): T
}
