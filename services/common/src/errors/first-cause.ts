/** The first of the errors that an AggregateError contains, however deep, such as that of one address of one host; others as they are. */
export function firstCause(error: unknown): unknown {
  let cause = error
  while (cause instanceof AggregateError && cause.errors.length > 0) cause = cause.errors[0]
  return cause
}
