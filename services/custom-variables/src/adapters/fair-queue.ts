import { errors } from '@storekeep/common/errors'

/**
 * Runs one task at a time and takes stores in turn, so that a store waits for at most one task of each other store. Tasks of one
 * store run in the order in which they were added.
 * @param maxWaiting tasks of one store that may wait
 */
export function createFairQueue({ maxWaiting }: { maxWaiting: number }): FairQueue {
  const waiting = new Map<string, Set<Task>>()
  let isRunning = false
  const drain = async () => {
    isRunning = true
    // A Map iterates in insertion order, including entries added meanwhile: a store goes to the back after its turn.
    for (const [storeId, tasks] of waiting) {
      const [task] = tasks
      if (task) tasks.delete(task)
      await task?.()
      waiting.delete(storeId)
      if (tasks.size > 0) waiting.set(storeId, tasks)
    }
    isRunning = false
  }
  return {
    run: ({ storeId, signal }, task) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(callEnded())
        const tasks = waiting.get(storeId) ?? new Set()
        if (tasks.size >= maxWaiting) return reject(errors.unavailable(new Error('The queue of the store is full.')))
        const leave = () => {
          tasks.delete(next)
          reject(callEnded())
        }
        const next = () => {
          signal.removeEventListener('abort', leave)
          return task().then(resolve, reject)
        }
        tasks.add(next)
        waiting.set(storeId, tasks)
        // A task that nobody waits for must not take a turn or a place in the queue.
        signal.addEventListener('abort', leave)
        if (!isRunning) void drain()
      }),
  }
}

export interface FairQueue {
  /**
   * The result of the task, once the store's turn has come. The task leaves the queue when its call ends.
   * @throws ServiceFault `unavailable` when too many tasks of the store are waiting, or when the call ends first
   */
  run<T>(call: QueuedCall, task: () => Promise<T>): Promise<T>
}

/** The call that waits for a task. */
export interface QueuedCall {
  storeId: string
  /** Aborted when the caller cancels or its deadline passes. */
  signal: AbortSignal
}

type Task = () => Promise<void>

function callEnded(): Error {
  return errors.unavailable(new Error('The call ended before its turn in the queue.'))
}
