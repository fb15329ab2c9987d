/**
 * Returns the first error within nested `AggregateError`s: a failed connection has one per host, and within it one per address. Other
 * errors are returned unchanged.
 */
export function firstCause(error: unknown): unknown {
  let cause = error
  while (cause instanceof AggregateError && cause.errors.length > 0) cause = cause.errors[0]
  return cause
}
