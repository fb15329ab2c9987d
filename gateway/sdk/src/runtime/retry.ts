import { now } from '../clock.ts'
import { ApiError, ConnectionError } from '../errors.ts'

/** Whether the request is safe and worthwhile to retry. */
export function isRetryable(error: unknown, { isSafe, mayBeRunning }: Attempted): boolean {
  if (error instanceof ConnectionError) return isSafe
  if (!(error instanceof ApiError)) return false
  // The request was not processed.
  if (error.status === 429) return true
  // While an attempt whose response was lost is still running, its key is rejected with a conflict.
  if (error.status === 409) return mayBeRunning
  return isSafe && unavailable.has(error.status)
}

export interface Attempted {
  /** Sending it twice has the effect of sending it once: it reads, deletes, or has an idempotency key. */
  isSafe: boolean
  /** Has an idempotency key, and the response of an earlier attempt was lost. */
  mayBeRunning: boolean
}

/** From Storekeep during an outage, or from a proxy. */
const unavailable: ReadonlySet<number> = new Set([502, 503, 504])

/**
 * Milliseconds to wait before the next attempt: the server's `Retry-After`, else exponentially growing; both with
 * jitter, so that clients do not return all together. Undefined if `Retry-After` exceeds `maxMs`.
 *
 * @param failed number of failed attempts
 * @param random between 0 and 1
 */
export function retryDelayMs(error: unknown, failed: number, maxMs: number, random: number): number | undefined {
  const wanted = error instanceof ApiError ? error.retryAfterSeconds : undefined
  if (wanted !== undefined) return wanted * 1000 > maxMs ? undefined : wanted * 1000 + random * jitterMs
  return Math.min(maxMs, firstDelayMs * 2 ** (failed - 1)) * (0.5 + random / 2)
}

const firstDelayMs = 500
const jitterMs = 250

/** The value of `Retry-After`, which is a number of seconds or, from some proxies, a date. */
export function retryAfterSeconds(header: string | null): number | undefined {
  if (header === null || header.trim() === '') return undefined
  const seconds = /^\d+$/.test(header.trim()) ? Number(header) : (Date.parse(header) - now()) / 1000
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined
}

/** Rejects with the signal's reason as soon as it aborts. */
export function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, ms)
    signal?.addEventListener('abort', abort, { once: true })
  })
}
