import { parentPort } from 'node:worker_threads'
import { maxCachedInstructions } from '../domain/limits.ts'
import { createPatternCache } from '../domain/pattern-cache.ts'

/** Compiles a pattern and, unless `answer` is undefined, matches the answer. */
export interface PatternJob {
  pattern: string
  answer: string | undefined
}

export interface PatternReply {
  /** Why the pattern is invalid. */
  problem: string | undefined
  isMatch: boolean
  /** CPU time of this thread since it started, to compare with `worker.cpuUsage()`. */
  cpuMs: number
}

const patterns = createPatternCache(maxCachedInstructions)

function run({ pattern, answer }: PatternJob): PatternReply {
  const { problem, matches } = patterns.get(pattern)
  const isMatch = answer !== undefined && matches?.(answer) === true
  return { problem, isMatch, cpuMs: cpuMs() }
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

parentPort?.on('message', (job: PatternJob) => parentPort?.postMessage(run(job)))
parentPort?.postMessage({ problem: undefined, isMatch: false, cpuMs: cpuMs() } satisfies PatternReply)
