import { createFairQueue } from '@storekeep/common/queue'
import { matchTurnMs, maxWaitingPatternCalls, patternThreads, patternTimes } from '../domain/limits.ts'
import { createRestartedThread, type RestartedThread } from './pattern-thread.ts'

/**
 * Compiles and matches the patterns of stores in worker threads. A store can write a pattern that takes seconds; here it
 * blocks no other call and is stopped at its CPU limit. A store uses one thread at a time, so a single hostile store
 * delays no other; as many of them as there are threads delay the others by one turn at most.
 */
export function createPatternEngine({
  compileMs = patternTimes.compileMs,
  matchMs = patternTimes.matchMs,
  turnMs = matchTurnMs,
  threads: concurrency = patternThreads,
  workerFile = new URL('pattern-worker.ts', import.meta.url),
} = {}): PatternEngine {
  const queue = createFairQueue({ concurrency, maxWaiting: maxWaitingPatternCalls })
  const threads = Array.from({ length: concurrency }, () => createRestartedThread(workerFile))
  /** The one used last comes first, since it has compiled the patterns that are in use. */
  const free = [...threads]
  /** Runs the task with exclusive use of a thread, once the store's turn has come. */
  const inTurn = <T>({ storeId: key, signal }: StoreCall, task: (thread: RestartedThread) => Promise<T>) =>
    queue.run({ key, signal }, async () => {
      const thread = free.shift()
      if (!thread) throw new Error('more tasks run than there are threads')
      return await task(thread).finally(() => free.unshift(thread))
    })
  const matchPair = async (thread: RestartedThread, { pattern, answer }: PatternPair): Promise<MatchResult> => {
    // An evicted pattern is compiled again.
    const reply = await (await thread.started()).run({ pattern, answer }, compileMs + matchMs)
    if (!reply) return 'timeout'
    if (reply.problem !== undefined) throw new Error(`a stored pattern is invalid: ${reply.problem}`)
    return reply.isMatch ? 'match' : 'mismatch'
  }
  /** The results of the first pairs: as many as one turn allows, and at least one. */
  const matchTurn = async (thread: RestartedThread, pairs: readonly PatternPair[]) => {
    // Replacing a thread that another store's pattern ended takes none of this turn.
    await thread.started()
    const endsAt = performance.now() + turnMs
    const results: MatchedPair[] = []
    for (const pair of pairs) {
      results.push({ ...pair, result: await matchPair(thread, pair) })
      if (performance.now() >= endsAt) break
    }
    return results
  }
  return {
    async start() {
      await free[0]?.started()
    },
    check: (call, pattern) =>
      inTurn(call, async (thread) => {
        const reply = await (await thread.started()).run({ pattern, answer: undefined }, compileMs)
        return reply ? reply.problem : 'takes too much time or memory to compile; simplify it'
      }),
    async match(call, pairs) {
      const results: MatchedPair[] = []
      while (results.length < pairs.length) {
        const rest = pairs.slice(results.length)
        results.push(...(await inTurn(call, (thread) => matchTurn(thread, rest))))
      }
      return results
    },
    async close() {
      await Promise.all(threads.map((thread) => thread.close()))
    },
  }
}

export interface PatternEngine {
  /** Starts one thread, which is usually enough; the others start when they are first needed. Rejects when it cannot load. */
  start(): Promise<void>
  /**
   * Why the pattern cannot be used, or undefined.
   * @throws ServiceFault `unavailable` when too many jobs of the store are waiting, or when the call ends first
   */
  check(call: StoreCall, pattern: string): Promise<string | undefined>
  /**
   * For each pair, whether the answer contains a match of the pattern, which was checked when it was stored; `timeout`
   * when that takes too much CPU time or memory. All pairs share a turn of the store, unless they take longer than one.
   * @throws ServiceFault `unavailable` when too many jobs of the store are waiting, or when the call ends first
   */
  match(call: StoreCall, pairs: readonly PatternPair[]): Promise<MatchedPair[]>
  /** Terminates the threads. Running and waiting jobs fail with `unavailable`. */
  close(): Promise<void>
}

/** The call that waits for the store's turn. */
export interface StoreCall {
  storeId: string
  /** Aborted when the caller cancels or its deadline passes. */
  signal: AbortSignal
}

export interface PatternPair {
  pattern: string
  answer: string
}

export interface MatchedPair extends PatternPair {
  result: MatchResult
}

export type MatchResult = 'match' | 'mismatch' | 'timeout'
