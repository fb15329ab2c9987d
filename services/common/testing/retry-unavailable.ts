import { setTimeout as sleep } from 'node:timers/promises'
import { errors, isFault } from '../src/errors/index.ts'

/**
 * Repeats a call while it fails with `service-unavailable` or its previous attempt is still running, as clients do, for up to a
 * minute. An overloaded machine causes such failures. The call must be idempotent, by nature or by its key.
 */
export async function retryUnavailable<T>(call: () => Promise<T>): Promise<T> {
  const giveUpAt = Date.now() + 60_000
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call()
    } catch (error) {
      const isRunning = attempt > 1 && isFault(error, 'conflict') && error.message === errors.stillRunning().message
      if (!(isRunning || isFault(error, 'service-unavailable')) || Date.now() > giveUpAt) throw error
      await sleep(200)
    }
  }
}
