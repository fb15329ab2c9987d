import { errors } from '@storekeep/common/errors'

/**
 * Runs up to `concurrency` tasks at a time, at most one of each store, and takes stores in turn: a store can delay another
 * only together with as many others as there are places, and then by one task at most. Tasks of one store run in the order
 * in which they were added.
 * @param maxWaiting tasks of one store that may wait
 */
export function createFairQueue({ concurrency, maxWaiting }: FairQueueOptions): FairQueue {
  const waiting = new Map<string, Set<Task>>()
  const running = new Set<string>()

  function startTasks(): void {
    for (const [storeId, tasks] of waiting) {
      if (running.size >= concurrency) return
      if (!running.has(storeId)) startTask(storeId, tasks)
    }
  }

  function startTask(storeId: string, tasks: Set<Task>): void {
    const [task] = tasks
    if (!task) {
      waiting.delete(storeId)
      return
    }
    tasks.delete(task)
    running.add(storeId)
    void task().then(() => {
      running.delete(storeId)
      // A Map keeps insertion order: the store goes to the back.
      waiting.delete(storeId)
      if (tasks.size > 0) waiting.set(storeId, tasks)
      startTasks()
    })
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
        startTasks()
      }),
  }
}

interface FairQueueOptions {
  concurrency: number
  maxWaiting: number
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
