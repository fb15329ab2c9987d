import { errors, ServiceFault } from '../errors/index.ts'

/**
 * Holds back all work until `check` has succeeded once. Concurrent work shares a check; after a failed one, the next work
 * starts another.
 *
 * @param check verifies that the database may be used. Default: it may
 * @returns runs work, or throws ServiceFault `service-unavailable` while the check fails, with its error as the cause
 */
export function createSchemaGate(check: (() => Promise<void>) | undefined): <T>(work: () => Promise<T>) => Promise<T> {
  let isOpen = check === undefined
  let checking: Promise<void> | undefined

  async function open(): Promise<void> {
    try {
      await check?.()
      isOpen = true
    } catch (error) {
      throw error instanceof ServiceFault ? error : errors.unavailable(error)
    } finally {
      checking = undefined
    }
  }

  return (work) => {
    if (isOpen) return work()
    checking ??= open()
    return checking.then(work)
  }
}
