import { errors } from '@storekeep/common/errors'
import { maxWaitingPatterns, patternTimes } from '../domain/limits.ts'
import { createFairQueue, type QueuedCall } from './fair-queue.ts'
import { type PatternThread, startPatternThread } from './pattern-thread.ts'
import type { PatternJob } from './pattern-worker.ts'

/**
 * Compiles and matches the patterns of stores in a worker thread. A store can write a pattern that takes seconds; here
 * it blocks no other call, is stopped at its CPU limit, and delays other stores by one job at most.
 */
export function createPatternEngine({
  compileMs = patternTimes.compileMs,
  matchMs = patternTimes.matchMs,
  workerFile = new URL('pattern-worker.ts', import.meta.url),
} = {}): PatternEngine {
  const queue = createFairQueue({ maxWaiting: maxWaitingPatterns })
  let thread: PatternThread | undefined
  let isClosed = false
  const startedThread = async () => {
    if (isClosed) throw errors.unavailable(new Error('the pattern engine is closed'))
    if (!thread || thread.hasEnded()) thread = startPatternThread(workerFile)
    await thread.ready
    return thread
  }
  const run = (call: QueuedCall, job: PatternJob, limitMs: number) =>
    queue.run(call, async () => (await startedThread()).run(job, limitMs))
  return {
    async check(call, pattern) {
      const reply = await run(call, { pattern, answer: undefined }, compileMs)
      return reply ? reply.problem : 'takes too much time or memory to compile; simplify it'
    },
    async match(call, pattern, answer) {
      // An evicted pattern is compiled again.
      const reply = await run(call, { pattern, answer }, compileMs + matchMs)
      if (!reply) return 'timeout'
      if (reply.problem !== undefined) throw new Error(`a stored pattern is invalid: ${reply.problem}`)
      return reply.isMatch ? 'match' : 'mismatch'
    },
    async close() {
      isClosed = true
      await thread?.close()
    },
  }
}

export interface PatternEngine {
  /**
   * Why the pattern cannot be used, or undefined.
   * @throws ServiceFault `unavailable` when too many jobs of the store are waiting, or when the call ends first
   */
  check(call: QueuedCall, pattern: string): Promise<string | undefined>
  /**
   * Whether the answer contains a match of a pattern that was checked when it was stored; `timeout` when that takes
   * too much CPU time or memory.
   * @throws ServiceFault `unavailable` when too many jobs of the store are waiting, or when the call ends first
   */
  match(call: QueuedCall, pattern: string, answer: string): Promise<MatchResult>
  /** Terminates the thread. Running and waiting jobs fail with `unavailable`. */
  close(): Promise<void>
}

export type MatchResult = 'match' | 'mismatch' | 'timeout'
