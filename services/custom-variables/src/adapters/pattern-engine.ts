import { errors } from '@storekeep/common/errors'
import { matchTurnMs, maxWaitingPatternCalls, patternTimes } from '../domain/limits.ts'
import { createFairQueue, type QueuedCall } from './fair-queue.ts'
import { type PatternThread, startPatternThread } from './pattern-thread.ts'

/**
 * Compiles and matches the patterns of stores in a worker thread. A store can write a pattern that takes seconds; here
 * it blocks no other call, is stopped at its CPU limit, and delays other stores by one turn at most.
 */
export function createPatternEngine({
  compileMs = patternTimes.compileMs,
  matchMs = patternTimes.matchMs,
  turnMs = matchTurnMs,
  workerFile = new URL('pattern-worker.ts', import.meta.url),
} = {}): PatternEngine {
  const queue = createFairQueue({ maxWaiting: maxWaitingPatternCalls })
  let thread: PatternThread | undefined
  let isClosed = false
  const startedThread = async () => {
    if (isClosed) throw errors.unavailable(new Error('the pattern engine is closed'))
    if (!thread || thread.hasEnded()) thread = startPatternThread(workerFile)
    await thread.ready
    return thread
  }
  const matchPair = async ({ pattern, answer }: PatternPair): Promise<MatchResult> => {
    // An evicted pattern is compiled again.
    const reply = await (await startedThread()).run({ pattern, answer }, compileMs + matchMs)
    if (!reply) return 'timeout'
    if (reply.problem !== undefined) throw new Error(`a stored pattern is invalid: ${reply.problem}`)
    return reply.isMatch ? 'match' : 'mismatch'
  }
  /** The results of the first pairs: as many as one turn allows, and at least one. */
  const matchTurn = async (pairs: readonly PatternPair[]) => {
    // Replacing a thread that another store's pattern ended takes none of this turn.
    await startedThread()
    const endsAt = performance.now() + turnMs
    const results: MatchedPair[] = []
    for (const pair of pairs) {
      results.push({ ...pair, result: await matchPair(pair) })
      if (performance.now() >= endsAt) break
    }
    return results
  }
  return {
    async start() {
      await startedThread()
    },
    check: (call, pattern) =>
      queue.run(call, async () => {
        const reply = await (await startedThread()).run({ pattern, answer: undefined }, compileMs)
        return reply ? reply.problem : 'takes too much time or memory to compile; simplify it'
      }),
    async match(call, pairs) {
      const results: MatchedPair[] = []
      while (results.length < pairs.length) {
        const rest = pairs.slice(results.length)
        results.push(...(await queue.run(call, () => matchTurn(rest))))
      }
      return results
    },
    async close() {
      isClosed = true
      await thread?.close()
    },
  }
}

export interface PatternEngine {
  /** Starts the thread. Rejects when it cannot load. */
  start(): Promise<void>
  /**
   * Why the pattern cannot be used, or undefined.
   * @throws ServiceFault `unavailable` when too many jobs of the store are waiting, or when the call ends first
   */
  check(call: QueuedCall, pattern: string): Promise<string | undefined>
  /**
   * For each pair, whether the answer contains a match of the pattern, which was checked when it was stored; `timeout`
   * when that takes too much CPU time or memory. All pairs share a turn of the store, unless they take longer than one.
   * @throws ServiceFault `unavailable` when too many jobs of the store are waiting, or when the call ends first
   */
  match(call: QueuedCall, pairs: readonly PatternPair[]): Promise<MatchedPair[]>
  /** Terminates the thread. Running and waiting jobs fail with `unavailable`. */
  close(): Promise<void>
}

export interface PatternPair {
  pattern: string
  answer: string
}

export interface MatchedPair extends PatternPair {
  result: MatchResult
}

export type MatchResult = 'match' | 'mismatch' | 'timeout'
