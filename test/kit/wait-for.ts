import { setTimeout as pause } from 'node:timers/promises'

/**
 * Asks `condition` again and again until it gives something other than undefined or false, and answers that.
 * Fails with `what` after `timeoutMs`; an error thrown by the condition counts as "not yet" and is named then.
 */
export async function waitFor<T>(
  what: string,
  condition: () => Promise<T | undefined | false> | T | undefined | false,
  { timeoutMs = 20_000, everyMs = 20 } = {},
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
      throw new Error(`Waited ${timeoutMs / 1000} s in vain: ${what}`, { cause: lastError })
    }
    await pause(everyMs)
  }
}

/** What a careful client does before it tries again; without it a test's retries keep the machine from healing. */
export function backOff(): Promise<void> {
  return pause(200)
}
