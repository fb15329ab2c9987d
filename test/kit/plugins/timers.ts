/** What a plugin waits with, so that a test can move the time itself. */
export interface Timers {
  /** @returns a function that stops it */
  every(ms: number, run: () => void): () => void
  /** @returns a function that stops it */
  after(ms: number, run: () => void): () => void
}

export const systemTimers: Timers = {
  every(ms, run) {
    const timer = setInterval(run, ms)
    return () => clearInterval(timer)
  },
  after(ms, run) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}

/** Timers that run only when the test moves the time. */
export function createManualTimers(): ManualTimers {
  let now = 0
  let waiting: { at: number; everyMs?: number; run: () => void }[] = []

  function add(timer: (typeof waiting)[number]): () => void {
    waiting.push(timer)
    return () => {
      waiting = waiting.filter((one) => one !== timer)
    }
  }

  return {
    every: (ms, run) => add({ at: now + ms, everyMs: ms, run }),
    after: (ms, run) => add({ at: now + ms, run }),
    advance(ms) {
      const end = now + ms
      for (;;) {
        const next = waiting.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)[0]
        if (next === undefined) break
        now = next.at
        if (next.everyMs === undefined) waiting = waiting.filter((one) => one !== next)
        else next.at += next.everyMs
        next.run()
      }
      now = end
    },
  }
}

export interface ManualTimers extends Timers {
  /** Runs what is due in the next `ms`, in order. */
  advance(ms: number): void
}
