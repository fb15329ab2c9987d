import { setTimeout as wait } from 'node:timers/promises'
import type { RetryCounts } from './retry-metrics.ts'

/**
 * Tries a call again while that may help and harms nobody: at most 4 attempts, 20 to 200 ms apart, within the call's
 * own time. Shared by all calls to one service, so that retries cannot multiply the load of a service that is down:
 * a failure takes a token, a success gives a fifth of one back, and below half of 100 nobody tries again.
 */
export function createRetry(counts?: RetryCounts): Retry {
  let tokens = maxTokens
  return {
    tokens: () => tokens,
    async run(attempt, { mayHelp, remainingMs, signal }) {
      for (let failures = 1; ; failures += 1) {
        try {
          const answer = await attempt()
          tokens = Math.min(maxTokens, tokens + tokenRatio)
          return answer
        } catch (error) {
          if (!mayHelp(error)) throw error
          tokens = Math.max(0, tokens - 1)
          const pauseMs = Math.min(200, 20 * 2 ** (failures - 1)) * (0.5 + Math.random())
          if (failures >= maxAttempts || pauseMs >= remainingMs() || signal?.aborted) throw error
          if (tokens <= maxTokens / 2) {
            counts?.suppressed()
            throw error
          }
          await wait(pauseMs, undefined, signal ? { signal } : {}).catch(() => {
            throw error
          })
          counts?.retried()
        }
      }
    },
  }
}

export interface Retry {
  /** What is left of the budget. */
  tokens(): number
  run<T>(attempt: () => Promise<T>, options: RetryOptions): Promise<T>
}

interface RetryOptions {
  /** Whether it failed in a way that another attempt may heal, and may be made. */
  mayHelp: (error: unknown) => boolean
  /** Until the deadline of the whole call. */
  remainingMs: () => number
  /** Aborted when nobody waits for the answer any more. */
  signal: AbortSignal | undefined
}

const maxAttempts = 4
const maxTokens = 100
const tokenRatio = 0.2
