/** The clocks of this process; tests replace them. */
export interface Clock {
  /** The time of day, for times that are stored, compared with stored times, or signed. It can jump, forward and back. */
  now(): Date
  /** Monotonic milliseconds, for caches, windows, limits and timeouts. Only differences are meaningful. */
  monotonicMs(): number
}

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
}
