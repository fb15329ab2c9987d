import { ServiceFault } from '../errors/index.ts'
import type { Logger } from '../log/index.ts'

/**
 * Creates the readiness check of a service. Probes only see that it fails, so it logs why: each reason once until the check
 * succeeds again.
 *
 * @param check resolves if the service can serve calls
 * @returns resolves to whether it can; never rejects
 */
export function createReadiness(check: () => Promise<void>, log: Logger): () => Promise<boolean> {
  const reported = new Set<string>()
  return async () => {
    try {
      await check()
      reported.clear()
      return true
    } catch (error) {
      const reason = String((error instanceof ServiceFault && error.cause) || error)
      if (!reported.has(reason)) log.warn({ err: error }, 'not ready')
      reported.add(reason)
      return false
    }
  }
}
