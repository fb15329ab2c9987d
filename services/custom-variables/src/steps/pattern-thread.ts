import { Worker } from 'node:worker_threads'
import { errors } from '@storekeep/common/errors'
import { patternMemoryMb } from '../domain/limits.ts'
import type { PatternJob, PatternReply } from './pattern-worker.ts'

/** A worker thread that is replaced after it has ended. It starts when it is first used. @param file see `pattern-worker.ts` */
export function createRestartedThread(file: URL): RestartedThread {
  let thread: PatternThread | undefined
  let isClosed = false
  return {
    async started() {
      if (isClosed) throw errors.unavailable(new Error('the pattern engine is closed'))
      if (!thread || thread.hasEnded()) thread = startPatternThread(file)
      await thread.ready
      return thread
    },
    async close() {
      isClosed = true
      await thread?.close()
    },
  }
}

export interface RestartedThread {
  /** @throws Error when the thread cannot load; ServiceFault `unavailable` after `close` */
  started(): Promise<PatternThread>
  /** Terminates the thread. Running jobs fail with `unavailable`. */
  close(): Promise<void>
}

/** Starts a worker thread that runs one job at a time. @param file the worker, see `pattern-worker.ts` */
function startPatternThread(file: URL): PatternThread {
  const worker = new Worker(file, { resourceLimits: patternMemoryMb })
  let awaited: PromiseWithResolvers<PatternReply> | undefined
  let failure: unknown
  const end = (reason: unknown) => {
    failure ??= reason
    awaited?.reject(failure)
  }
  worker.on('message', (reply: PatternReply) => awaited?.resolve(reply))
  // Stays for the life of the thread: an `error` event without a listener ends the process.
  worker.on('error', end)
  worker.on('exit', () => end(errors.unavailable(new Error('the pattern thread exited'))))
  const nextReply = async () => {
    if (failure !== undefined) throw failure
    awaited = Promise.withResolvers()
    return await awaited.promise
  }
  let cpuMs = 0
  const ready = nextReply().then((reply) => {
    cpuMs = reply.cpuMs
    worker.unref()
  })
  return {
    ready,
    hasEnded: () => failure !== undefined,
    async run(job, limitMs) {
      const cpuLimitMs = cpuMs + limitMs
      let isOver = false
      const watchdog = setInterval(async () => {
        const { user, system } = await worker.cpuUsage().catch(() => ({ user: 0, system: 0 }))
        if (isOver || (user + system) / 1000 <= cpuLimitMs) return
        end(cpuLimitReached)
        await worker.terminate()
      }, watchIntervalMs)
      try {
        worker.postMessage(job)
        const reply = await nextReply()
        cpuMs = reply.cpuMs
        return reply
      } catch (error) {
        if (error === cpuLimitReached || isOutOfMemory(error)) return undefined
        throw error
      } finally {
        isOver = true
        clearInterval(watchdog)
      }
    },
    async close() {
      await worker.terminate()
    },
  }
}

export interface PatternThread {
  /** Rejects when the thread cannot load. */
  ready: Promise<void>
  /** A thread that has ended runs no more jobs. */
  hasEnded(): boolean
  /**
   * The reply; undefined when the thread reached the limit or ran out of memory, and has ended.
   * @param limitMs CPU time, which unlike elapsed time does not depend on other processes
   * @throws ServiceFault `unavailable` when the thread exits
   */
  run(job: PatternJob, limitMs: number): Promise<PatternReply | undefined>
  /** Terminates the thread, even while it starts or runs a job. */
  close(): Promise<void>
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
}

const cpuLimitReached = new Error('the pattern thread reached its CPU limit')
const watchIntervalMs = 25
