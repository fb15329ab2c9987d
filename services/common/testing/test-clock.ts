import type { Clock } from '../src/service/index.ts'

export interface TestClock extends Clock {
  advance(milliseconds: number): void
}

/** Goes on as clocks do, from where it was put. */
export function createTestClock(): TestClock {
  let ahead = 0
  return {
    now: () => new Date(Date.now() + ahead),
    advance(milliseconds) {
      ahead += milliseconds
    },
  }
}
