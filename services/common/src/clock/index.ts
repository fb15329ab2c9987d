/** The clocks of this process; tests replace them. */
export interface Clock {
  /** The time of day: for times that are stored, compared with stored ones, or signed. It can jump, forward and back. */
  now(): Date
  /** Milliseconds that pass evenly: for caches, windows, limits and time-outs. Only differences have a meaning. */
  monotonicMs(): number
}

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
}
