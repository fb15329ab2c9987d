import type { CancelSignal } from './call.ts'
import type { RetryCounts } from './retry-metrics.ts'

/**
 * Retries failed calls: up to 4 attempts, 20 to 200 ms apart, within the deadline of the call. All calls to a service
 * share one token budget, so that retries cannot multiply the load of a service that is down: a failure takes a token
 * of 100, a success returns a fifth of one, and at 50 and below calls are not retried.
 *
 * An attempt that was not sent caused no load: it takes no token and is retried up to 6 times, which is about how long it
 * takes to notice that a replica was replaced.
 */
export function createRetry(counts?: RetryCounts): Retry {
  let tokens = maxTokens
  return {
    tokens: () => tokens,
    mayHedge() {
      const isGranted = tokens > maxTokens * 0.75
      if (isGranted) tokens -= 1
      return isGranted
    },
    async run(attempt, { isRetryable, wasSent, remainingMs, signal }) {
      for (let failures = 1; ; failures += 1) {
        try {
          const response = await attempt()
          tokens = Math.min(maxTokens, tokens + tokensPerSuccess)
          return response
        } catch (error) {
          if (!isRetryable(error)) throw error
          const isFree = !wasSent(error)
          if (!isFree) tokens = Math.max(0, tokens - 1)
          const attemptLimit = isFree ? maxUnsentAttempts : maxAttempts
          const delayMs = Math.min(200, 20 * 2 ** (failures - 1)) * (0.5 + Math.random())
          if (failures >= attemptLimit || delayMs >= remainingMs() || signal?.aborted) throw error
          if (!isFree && tokens <= maxTokens / 2) {
            counts?.suppressed()
            throw error
          }
          await wait(delayMs, signal)
          if (signal?.aborted) throw error
          counts?.retried()
        }
      }
    },
  }
}

export interface Retry {
  /** Remaining budget, 0 to 100. */
  tokens(): number
  /**
   * Whether a slow call may be hedged. Takes a token if so. False at 75 tokens and below, which reserves half of the usable
   * budget for retries.
   */
  mayHedge(): boolean
  /** Calls `attempt` until it succeeds or may not be retried. @throws the error of the last attempt */
  run<T>(attempt: () => Promise<T>, options: RetryOptions): Promise<T>
}

interface RetryOptions {
  /** Whether another attempt may succeed and is safe. */
  isRetryable: (error: unknown) => boolean
  /** Whether the service may have received the attempt. */
  wasSent: (error: unknown) => boolean
  /** Milliseconds until the deadline of the call, which covers all attempts. */
  remainingMs: () => number
  /** Aborted when the caller cancels. */
  signal: CancelSignal | undefined
}

/** Ends early when the signal aborts. */
function wait(ms: number, signal: CancelSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end)
  })
}

const maxAttempts = 4
const maxUnsentAttempts = 6
const maxTokens = 100
const tokensPerSuccess = 0.2
