import { setTimeout as pause } from 'node:timers/promises'

/**
 * Polls `condition` until it returns something other than undefined or false, and returns that. Rejects with `what` after
 * `timeoutMs`. An error thrown by the condition counts as "not yet" and becomes the cause of the rejection.
 */
export async function waitFor<T>(
  what: string,
  condition: () => Promise<T | undefined | false> | T | undefined | false,
  { timeoutMs = 60_000, everyMs = 20 } = {},
): Promise<T> {
  const deadline = Date.now() + timeoutMs
  let lastError: unknown
  for (;;) {
    try {
      const value = await condition()
      if (value !== undefined && value !== false) return value
    } catch (error) {
      lastError = error
    }
    if (Date.now() > deadline) {
      throw new Error(`Waited ${timeoutMs / 1000} s without success: ${what}`, { cause: lastError })
    }
    await pause(everyMs)
  }
}

/** Pauses before a retry, so that retries do not keep a busy machine from recovering. */
export function backOff(): Promise<void> {
  return pause(200)
}
