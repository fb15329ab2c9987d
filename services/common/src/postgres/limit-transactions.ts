import { errors } from '../errors/index.ts'
import type { Database } from './database.ts'

/**
 * Limits the number of concurrent transactions of a database; further ones wait in order. For work that must leave
 * connections to other work: background work, and transactions that wait long for a lock.
 *
 * @param limit maximum number of concurrent transactions
 * @param options.maxWaitMs how long a transaction may wait to start. Default: unlimited
 * @throws ServiceFault `service-unavailable` from `transaction`, if it could not start within `maxWaitMs`
 */
export function limitTransactions<D extends Pick<Database, 'transaction'>>(
  database: D,
  limit: number,
  { maxWaitMs }: { maxWaitMs?: number } = {},
): D {
  const waiting = new Set<() => void>()
  let free = limit

  async function acquire(): Promise<void> {
    if (free > 0) {
      free -= 1
      return
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    waiting.add(resolve)
    const giveUp = () => {
      waiting.delete(resolve)
      reject(errors.unavailable(new Error('too many transactions are waiting')))
    }
    const timer = maxWaitMs === undefined ? undefined : setTimeout(giveUp, maxWaitMs)
    await promise.finally(() => clearTimeout(timer))
  }

  /** Passes the slot directly to the next waiter, so that no newcomer can take it. */
  function release(): void {
    const [next] = waiting
    if (!next) {
      free += 1
      return
    }
    waiting.delete(next)
    next()
  }

  return {
    ...database,
    async transaction(work, caller) {
      await acquire()
      try {
        return await database.transaction(work, caller)
      } finally {
        release()
      }
    },
  }
}
