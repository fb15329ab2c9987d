import { setTimeout as delay } from 'node:timers/promises'

/**
 * Repeats a check of copies for up to two seconds until it finds everything: a caller may name a record that it created a moment
 * ago, whose event has not arrived yet.
 * @param check returns whether everything was found
 */
export async function waitForCopies(check: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    if (await check()) return
    await delay(intervalMs, undefined, { signal })
  }
}

const attempts = 20
const intervalMs = 100
