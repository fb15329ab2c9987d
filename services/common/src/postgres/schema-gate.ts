import { errors, ServiceFault } from '../errors/index.ts'
import type { Logger } from '../log/index.ts'

/**
 * Holds back all work until `check` has succeeded once. Concurrent work shares a check; after a failed one, the next work
 * starts another.
 *
 * @param check verifies that the database may be used. Default: it may
 * @returns runs work, or throws ServiceFault `service-unavailable` while the check fails, with its error as the cause
 */
export function createSchemaGate({ check, log }: GateOptions): <T>(work: () => Promise<T>) => Promise<T> {
  let isOpen = check === undefined
  let checking: Promise<void> | undefined
  let reported: string | undefined

  async function open(): Promise<void> {
    try {
      await check?.()
      isOpen = true
    } catch (error) {
      throw error instanceof ServiceFault ? error : report(error)
    } finally {
      checking = undefined
    }
  }

  /** Logs a mistake once, not for each statement. An outage is logged by whoever needed the database. */
  function report(error: unknown): ServiceFault {
    const message = String(error)
    if (message !== reported) log.error({ err: error }, 'the database must not be used: refusing all statements')
    reported = message
    return errors.unavailable(error)
  }

  return (work) => {
    if (isOpen) return work()
    checking ??= open()
    return checking.then(work)
  }
}

interface GateOptions {
  check: (() => Promise<void>) | undefined
  log: Logger
}
