import { errors } from '@storekeep/common/errors'

/**
 * Runs one task at a time and takes stores in turn, so that no store waits for all the tasks of another. Tasks of one
 * store run in the order in which they were added.
 * @param maxWaiting tasks of one store that may wait
 */
export function createFairQueue({ maxWaiting }: { maxWaiting: number }): FairQueue {
  // A Map keeps insertion order: the store that was served longest ago comes first.
  const waiting = new Map<string, (() => Promise<void>)[]>()
  let isRunning = false
  const drain = async () => {
    isRunning = true
    for (let next = takeNext(waiting); next; next = takeNext(waiting)) await next()
    isRunning = false
  }
  return {
    run: (storeId, task) =>
      new Promise((resolve, reject) => {
        const tasks = waiting.get(storeId) ?? []
        if (tasks.length >= maxWaiting) return reject(errors.unavailable(new Error('The queue of the store is full.')))
        tasks.push(() => task().then(resolve, reject))
        waiting.set(storeId, tasks)
        if (!isRunning) void drain()
      }),
  }
}

export interface FairQueue {
  /**
   * The result of the task, once the store's turn has come.
   * @throws ServiceFault `unavailable` when too many tasks of the store are waiting
   */
  run<T>(storeId: string, task: () => Promise<T>): Promise<T>
}

function takeNext(waiting: Map<string, (() => Promise<void>)[]>): (() => Promise<void>) | undefined {
  const [first] = waiting
  if (!first) return undefined
  const [storeId, tasks] = first
  const task = tasks.shift()
  waiting.delete(storeId)
  if (tasks.length > 0) waiting.set(storeId, tasks)
  return task
}
