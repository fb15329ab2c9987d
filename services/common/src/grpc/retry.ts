import { setTimeout as wait } from 'node:timers/promises'
import type { RetryCounts } from './retry-metrics.ts'

/**
 * Tries a call again while that may help and harms nobody: at most 4 attempts, 20 to 200 ms apart, within the call's
 * own time. Shared by all calls to one service, so that retries cannot multiply the load of a service that is down:
 * a failure takes a token, a success gives a fifth of one back, and below half of 100 nobody tries again.
 *
 * What has not been sent costs the service nothing: it takes no token and is tried up to 6 times, which is about as long as
 * a caller needs to find out that a replica has been replaced.
 */
export function createRetry(counts?: RetryCounts): Retry {
  let tokens = maxTokens
  return {
    tokens: () => tokens,
    mayHedge() {
      const isGranted = tokens > maxTokens * 0.75
      if (isGranted) tokens -= 1
      counts?.hedged(isGranted ? 'sent' : 'suppressed')
      return isGranted
    },
    async run(attempt, { mayHelp, wasSent, remainingMs, signal }) {
      for (let failures = 1; ; failures += 1) {
        try {
          const answer = await attempt()
          tokens = Math.min(maxTokens, tokens + tokenRatio)
          return answer
        } catch (error) {
          if (!mayHelp(error)) throw error
          const isFree = !wasSent(error)
          if (!isFree) tokens = Math.max(0, tokens - 1)
          const most = isFree ? maxUnsentAttempts : maxAttempts
          const pauseMs = Math.min(200, 20 * 2 ** (failures - 1)) * (0.5 + Math.random())
          if (failures >= most || pauseMs >= remainingMs() || signal?.aborted) throw error
          if (!isFree && tokens <= maxTokens / 2) {
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
  /**
   * Whether a call that is slow may be made a second time; takes a token as a failure does. Leaves half of those that may
   * be taken to the failures.
   */
  mayHedge(): boolean
  run<T>(attempt: () => Promise<T>, options: RetryOptions): Promise<T>
}

interface RetryOptions {
  /** Whether it failed in a way that another attempt may heal, and may be made. */
  mayHelp: (error: unknown) => boolean
  /** Whether the service may have had work with the attempt. */
  wasSent: (error: unknown) => boolean
  /** Until the deadline of the whole call. */
  remainingMs: () => number
  /** Aborted when nobody waits for the answer any more. */
  signal: AbortSignal | undefined
}

const maxAttempts = 4
const maxUnsentAttempts = 6
const maxTokens = 100
const tokenRatio = 0.2
