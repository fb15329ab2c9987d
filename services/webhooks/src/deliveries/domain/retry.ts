/** The result of an attempt, as far as it decides what happens to the delivery. */
export interface AttemptResult {
  /** Status of the response; undefined without one. */
  status: number | undefined
  /** From `Retry-After`. */
  retryAfterSeconds: number | undefined
}

export type NextStep = { status: 'succeeded' | 'failed' } | { status: 'pending'; delayMs: number }

/**
 * Decides what follows an attempt. Any 2xx succeeds; everything else, redirects included, is retried 16 times in about three
 * days. The delay varies by ± 10 %, so that the deliveries that failed together are not repeated together. `Retry-After`
 * lengthens it, to a day at most. 410 is final.
 *
 * @param attempts how many were made, including this one
 * @param random from 0 to 1
 */
export function nextStep({ status, retryAfterSeconds = 0 }: AttemptResult, attempts: number, random: number): NextStep {
  if (isSuccess(status)) return { status: 'succeeded' }
  const delayMs = retryDelaysMs[attempts - 1]
  if (delayMs === undefined || status === gone) return { status: 'failed' }
  const jittered = delayMs * (0.9 + random * 0.2)
  return { status: 'pending', delayMs: Math.max(jittered, Math.min(retryAfterSeconds * 1000, maxRetryAfterMs)) }
}

export function isSuccess(status: number | undefined): boolean {
  return status !== undefined && status >= 200 && status < 300
}

/** The status by which a receiver unsubscribes. */
export const gone = 410

const secondMs = 1000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs

/** The delay after each failed attempt; 71.7 hours in all. */
export const retryDelaysMs: readonly number[] = [
  5 * secondMs,
  30 * secondMs,
  2 * minuteMs,
  10 * minuteMs,
  30 * minuteMs,
  hourMs,
  2 * hourMs,
  4 * hourMs,
  ...Array<number>(8).fill(8 * hourMs),
]

const maxRetryAfterMs = 24 * hourMs
