import { type Clock, systemClock } from '../src/clock/index.ts'

export interface TestClock extends Clock {
  advance(milliseconds: number): void
}

/** Clocks that run normally and can be moved forward, as if time had passed. */
export function createTestClock(): TestClock {
  let ahead = 0
  return {
    now: () => new Date(systemClock.now().getTime() + ahead),
    monotonicMs: () => systemClock.monotonicMs() + ahead,
    advance(milliseconds) {
      ahead += milliseconds
    },
  }
}
