import type { Clock } from '../src/service/index.ts'

export interface TestClock extends Clock {
  advance(milliseconds: number): void
}

/** A clock that runs normally and can be moved forward. */
export function createTestClock(): TestClock {
  let ahead = 0
  return {
    now: () => new Date(Date.now() + ahead),
    advance(milliseconds) {
      ahead += milliseconds
    },
  }
}
