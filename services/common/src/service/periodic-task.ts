import type { Logger } from '../log/index.ts'

/**
 * Work that a process does by itself from time to time. It never runs twice at once; what fails is logged and tried
 * again the next time. The time between two runs varies by a fifth, so that replicas do not keep step.
 */
export function createPeriodicTask({ name, everyMs, log, run }: PeriodicTaskOptions): PeriodicTask {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  let stopping = false

  function plan(): void {
    const delayMs = everyMs * (0.9 + Math.random() * 0.2)
    timer = setTimeout(() => {
      running = runOnce()
    }, delayMs).unref()
  }

  async function runOnce(): Promise<void> {
    await run(() => stopping).catch((error: unknown) => log.warn({ err: error, task: name }, 'a task failed'))
    if (!stopping) plan()
  }

  return {
    start() {
      if (timer === undefined) plan()
    },
    async stop() {
      stopping = true
      clearTimeout(timer)
      await running
    },
  }
}

export interface PeriodicTaskOptions {
  /** For the log. */
  name: string
  everyMs: number
  log: Logger
  /** The work; what takes long asks in between whether it is to stop. */
  run(isStopping: () => boolean): Promise<void>
}

export interface PeriodicTask {
  start(): void
  /** Begins no further run and waits for the one under way. */
  stop(): Promise<void>
}
