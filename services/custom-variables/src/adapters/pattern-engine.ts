import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { maxWaitingPatterns, patternMemoryMb, patternTimes } from '../domain/limits.ts'
import { createFairQueue } from './fair-queue.ts'
import type { PatternJob, PatternReply } from './pattern-worker.ts'

/**
 * Compiles and matches the patterns of stores in a worker thread. A store can write a pattern that takes seconds; here
 * it blocks no other call, is stopped at its CPU limit, and delays other stores by one job at most.
 */
export function createPatternEngine({ compileMs, matchMs } = patternTimes): PatternEngine {
  const queue = createFairQueue({ maxWaiting: maxWaitingPatterns })
  let thread: PatternThread | undefined
  const run = (storeId: string, job: PatternJob, limitMs: number) =>
    queue.run(storeId, async () => {
      const { worker, cpuMs } = thread ?? (await startThread())
      // Only a reply proves that the thread is alive and idle; otherwise the next job starts another one.
      thread = undefined
      const reply = await runJob(worker, job, cpuMs + limitMs)
      thread = reply && { worker, cpuMs: reply.cpuMs }
      return reply
    })
  return {
    async check(storeId, pattern) {
      const reply = await run(storeId, { pattern, answer: undefined }, compileMs)
      return reply ? reply.problem : 'takes too much time or memory to compile; simplify it'
    },
    async match(storeId, pattern, answer) {
      // An evicted pattern is compiled again.
      const reply = await run(storeId, { pattern, answer }, compileMs + matchMs)
      if (!reply) return 'timeout'
      if (reply.problem !== undefined) throw new Error(`a stored pattern is invalid: ${reply.problem}`)
      return reply.isMatch ? 'match' : 'mismatch'
    },
    async close() {
      await thread?.worker.terminate()
    },
  }
}

export interface PatternEngine {
  /**
   * Why the pattern cannot be used, or undefined.
   * @throws ServiceFault `unavailable` when too many jobs of the store are waiting
   */
  check(storeId: string, pattern: string): Promise<string | undefined>
  /**
   * Whether the answer contains a match of a pattern that was checked when it was stored; `timeout` when that takes
   * too much CPU time or memory.
   * @throws ServiceFault `unavailable` when too many jobs of the store are waiting
   */
  match(storeId: string, pattern: string, answer: string): Promise<MatchResult>
  close(): Promise<void>
}

export type MatchResult = 'match' | 'mismatch' | 'timeout'

interface PatternThread {
  worker: Worker
  /** CPU time that it had used when it became idle. */
  cpuMs: number
}

async function startThread(): Promise<PatternThread> {
  const worker = new Worker(new URL('pattern-worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: patternMemoryMb },
  })
  worker.unref()
  const [{ cpuMs }] = (await once(worker, 'message')) as [PatternReply]
  return { worker, cpuMs }
}

/**
 * The reply; undefined when the thread reached its CPU limit or ran out of memory, and is gone.
 * @param cpuLimitMs total CPU time of the thread, which unlike elapsed time does not depend on other processes
 */
async function runJob(worker: Worker, job: PatternJob, cpuLimitMs: number): Promise<PatternReply | undefined> {
  const ended = new AbortController()
  const { signal } = ended
  const watchdog = setInterval(async () => {
    const { user, system } = await worker.cpuUsage().catch(() => ({ user: 0, system: 0 }))
    if (signal.aborted || (user + system) / 1000 <= cpuLimitMs) return
    ended.abort()
    await worker.terminate()
  }, watchIntervalMs)
  try {
    worker.postMessage(job)
    const [reply] = (await once(worker, 'message', { signal })) as [PatternReply]
    return reply
  } catch (error) {
    if (signal.aborted || isOutOfMemory(error)) return undefined
    throw error
  } finally {
    clearInterval(watchdog)
    ended.abort()
  }
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
}

const watchIntervalMs = 25
