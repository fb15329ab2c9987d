import { errors } from '../errors/index.ts'
import type { Database } from './database.ts'

/**
 * The same database with at most so many transactions at a time; more wait for their turn, in order. For work that must
 * leave connections of the pool to others: what runs in the background, what waits long for one lock.
 *
 * @param maxWaitMs how long one waits for its turn, when somebody waits for its answer; without end unless given
 * @throws ServiceFault `service-unavailable` from `transaction`, when the turn has not come by then
 */
export function limitTransactions<D extends Pick<Database, 'transaction'>>(
  database: D,
  most: number,
  { maxWaitMs }: { maxWaitMs?: number } = {},
): D {
  const waiting = new Set<() => void>()
  let running = 0

  async function begin(): Promise<void> {
    if (running < most) running += 1
    else await turn()
  }

  function turn(): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        waiting.delete(start)
        reject(errors.unavailable(new Error('too many transactions wait for their turn')))
      }
      const timer = maxWaitMs === undefined ? undefined : setTimeout(giveUp, maxWaitMs)
      const start = () => {
        clearTimeout(timer)
        resolve()
      }
      waiting.add(start)
    })
  }

  /** Hands its place over, so that nobody else can take it in between. */
  function end(): void {
    const [next] = waiting
    if (!next) {
      running -= 1
      return
    }
    waiting.delete(next)
    next()
  }

  return {
    ...database,
    async transaction(work) {
      await begin()
      try {
        return await database.transaction(work)
      } finally {
        end()
      }
    },
  }
}
