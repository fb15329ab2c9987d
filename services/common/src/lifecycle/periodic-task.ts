import type { Logger } from '../log/index.ts'

/**
 * Runs work at regular intervals, never concurrently. A failed run is logged; the next one starts as usual. The interval
 * varies by ± 10 %, so that replicas do not run in step.
 */
export function createPeriodicTask({ name, everyMs, log, run }: PeriodicTaskOptions): PeriodicTask {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  let stopping = false

  function schedule(): void {
    const delayMs = everyMs * (0.9 + Math.random() * 0.2)
    timer = setTimeout(() => {
      running = runOnce()
    }, delayMs).unref()
  }

  async function runOnce(): Promise<void> {
    await run(() => stopping).catch((error: unknown) => log.warn({ err: error, task: name }, 'periodic task failed'))
    if (!stopping) schedule()
  }

  return {
    start() {
      if (timer === undefined) schedule()
    },
    async stop() {
      stopping = true
      clearTimeout(timer)
      await running
    },
  }
}

export interface PeriodicTaskOptions {
  /** Name for the log. */
  name: string
  everyMs: number
  log: Logger
  /** The work. Long work must check `isStopping` in between. */
  run(isStopping: () => boolean): Promise<void>
}

export interface PeriodicTask {
  start(): void
  /** Starts no further run and waits for the current one. */
  stop(): Promise<void>
}
