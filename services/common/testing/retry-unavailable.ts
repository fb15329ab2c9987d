import { setTimeout as sleep } from 'node:timers/promises'
import { isFault } from '../src/errors/index.ts'

/**
 * Repeats a call while it fails with `service-unavailable`, as clients do, for up to a minute. An overloaded machine
 * causes such failures. The call must be idempotent, by nature or by its key.
 */
export async function retryUnavailable<T>(call: () => Promise<T>): Promise<T> {
  const giveUpAt = Date.now() + 60_000
  for (;;) {
    try {
      return await call()
    } catch (error) {
      if (!isFault(error, 'service-unavailable') || Date.now() > giveUpAt) throw error
      await sleep(200)
    }
  }
}
