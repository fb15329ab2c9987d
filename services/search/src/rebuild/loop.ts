import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from '@storekeep/common/log'
import type { Background } from '@storekeep/common/service'

/**
 * Does something again and again until it is stopped. What fails is logged once per row of failures, and tried again
 * later and later.
 * @param step gets a signal that is aborted by `stop`, and should end soon then
 */
export function createLoop(
  log: Logger,
  complaint: string,
  everyMs: number,
  step: (signal: AbortSignal) => Promise<void>,
): Background {
  const stopping = new AbortController()
  let running: Promise<void> | undefined

  async function loop(): Promise<void> {
    const { signal } = stopping
    let failures = 0
    while (!signal.aborted) {
      try {
        await step(signal)
        failures = 0
      } catch (error) {
        if (signal.aborted) return
        failures += 1
        if (failures === 3) log.warn({ err: error }, complaint)
      }
      const waitMs = Math.min(everyMs * 2 ** failures, Math.max(everyMs, 10_000))
      await pause(waitMs, undefined, { signal, ref: false }).catch(() => {})
    }
  }

  return {
    start() {
      running ??= loop()
    },
    async stop() {
      stopping.abort()
      await running
    },
  }
}
