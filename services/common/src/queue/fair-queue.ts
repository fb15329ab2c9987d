import { errors } from '../errors/index.ts'
import type { CancelSignal } from '../grpc/index.ts'

/**
 * Runs up to `concurrency` tasks concurrently, at most one per key, and takes keys in turn. With a store as the key, other stores
 * wait only while `concurrency` stores run tasks, and then for one task at most. Tasks of one key run in the order in which they
 * were added.
 * @param maxWaiting tasks of one key that may wait
 */
export function createFairQueue({ concurrency, maxWaiting }: FairQueueOptions): FairQueue {
  const waiting = new Map<string, Set<Task>>()
  const running = new Set<string>()

  function startTasks(): void {
    for (const [key, tasks] of waiting) {
      if (running.size >= concurrency) return
      if (!running.has(key)) startTask(key, tasks)
    }
  }

  function startTask(key: string, tasks: Set<Task>): void {
    const [task] = tasks
    if (!task) {
      waiting.delete(key)
      return
    }
    tasks.delete(task)
    running.add(key)
    void task().then(() => {
      running.delete(key)
      // A Map keeps insertion order: the key goes to the back.
      waiting.delete(key)
      if (tasks.size > 0) waiting.set(key, tasks)
      startTasks()
    })
  }

  return {
    run: ({ key, signal }, task) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(callEnded())
        const tasks = waiting.get(key) ?? new Set()
        if (tasks.size >= maxWaiting) return reject(errors.unavailable(new Error('The queue is full.')))
        const leave = () => {
          tasks.delete(next)
          reject(callEnded())
        }
        const next = () => {
          signal.removeEventListener('abort', leave)
          return task().then(resolve, reject)
        }
        tasks.add(next)
        waiting.set(key, tasks)
        // Abandoned tasks are removed from the queue.
        signal.addEventListener('abort', leave)
        startTasks()
      }),
  }
}

interface FairQueueOptions {
  /** `Infinity`: only tasks of the same key wait for each other. */
  concurrency: number
  maxWaiting: number
}

export interface FairQueue {
  /**
   * The result of the task, once the turn of its key has come. The task leaves the queue when its call ends.
   * @throws ServiceFault `unavailable` when too many tasks of the key are waiting, or when the call ends first
   */
  run<T>(call: QueuedCall, task: () => Promise<T>): Promise<T>
}

/** The call that waits for a task. */
interface QueuedCall {
  /** Whose turn it waits for, such as a store. */
  key: string
  /** Aborted when the caller cancels or its deadline passes. */
  signal: CancelSignal
}

type Task = () => Promise<void>

function callEnded(): Error {
  return errors.unavailable(new Error('The call ended before its turn in the queue.'))
}
