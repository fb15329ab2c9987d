import { type Clock, systemClock } from '../src/clock/index.ts'

export interface TestClock extends Clock {
  advance(milliseconds: number): void
  /** Stops the date, so that nothing becomes due because the machine is slow. */
  freeze(): void
}

/** Clocks that run normally and can be moved forward, as if time had passed. */
export function createTestClock(): TestClock {
  let ahead = 0
  let frozenAt: Date | undefined
  const now = () => frozenAt ?? new Date(systemClock.now().getTime() + ahead)
  return {
    now,
    monotonicMs: () => systemClock.monotonicMs() + ahead,
    advance(milliseconds) {
      ahead += milliseconds
    },
    freeze() {
      frozenAt = now()
    },
  }
}
